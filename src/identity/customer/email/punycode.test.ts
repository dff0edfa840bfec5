import { domainToASCII, domainToUnicode } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { writtenEmail } from "./punycode.ts";

test.each([
  ["lea@exemple.fr", "lea@exemple.fr"],
  ["lea@xn--mller-kva.de", "lea@müller.de"],
  ["lea@xn--9ca.xn--p1ai", "lea@é.рф"],
  ["lea@xn--fiqs8s.example", "lea@中国.example"],
  ["xn--a@exemple.fr", "xn--a@exemple.fr"],
  ["lea@xn--\u0000", "lea@xn--\u0000"],
])("%s is shown as %s", (email, written) => {
  expect(writtenEmail(email)).toBe(written);
});

test("any domain is shown as Node's own function writes it", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(..."abz09éüßñøжя中国日本"), { minLength: 1, maxLength: 12 }), (emails) => {
      const ascii = domainToASCII(`${emails.join("")}.example`);
      fc.pre(ascii !== "");
      expect(writtenEmail(`x@${ascii}`)).toBe(`x@${domainToUnicode(ascii)}`);
    }),
  );
});
