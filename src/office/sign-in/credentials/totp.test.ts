import { expect, test } from "vitest";
import { matchTotp, newTotpSecret, totpCode, totpStep, totpUri } from "./totp.server.ts";

/** "12345678901234567890" in base32: the secret of the examples in RFC 6238, appendix B. Those have eight digits. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at second %i the code is %s, as RFC 6238 says", (second, code) => {
  expect(totpCode(secret, totpStep(new Date(second * 1_000)))).toBe(code);
});

test("a code counts one step before and after, not further", () => {
  const step = 50_000_000;
  const at = (more: number) => new Date((step + more) * 30_000);
  const code = totpCode(secret, step);
  expect([-2, -1, 0, 1, 2].map((more) => matchTotp(secret, code, at(more)))).toEqual([
    ...[undefined, step, step, step, undefined],
  ]);
  for (const wrong of ["", "1", `${code}0`, "abcdef", "é23456"])
    expect(matchTotp(secret, wrong, at(0))).toBeUndefined();
});

test("a new secret has 160 bits, and its address names the person", () => {
  const made = newTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(made).not.toBe(newTotpSecret());
  expect(totpUri("ABC", "lou@cercle.example")).toBe(
    "otpauth://totp/Cercle%3Alou%40cercle.example?secret=ABC&issuer=Cercle",
  );
});
