import { amountOf } from "#brand/amounts.ts";
import type { Endpoint } from "#platform/api/endpoint.server.ts";

/** Reads one string out of a JSON response, with what every shell has. */
const pick = (name: string) => `sed -E 's/.*"${name}":"([^"]+)".*/\\1/'`;

/** What the examples begin with: a new customer, a member, signed in; and a till with the key of the sandbox's shop. */
export function opening(publicUrl: string): string {
  return `EMAIL=you-$(date +%s)-$$@exemple.fr
TOKEN=$(curl -s ${publicUrl}/api/customer -F Email=$EMAIL -F Password=cercle2026 -F Firstname=Ada -F Lastname=Exemple \\
  -F Birthday=1990-04-24 -F MobilePhone=0612345678 -F LoyaltySubscribe=true | ${pick("Token")})
CARD=$(curl -s ${publicUrl}/api/loyalty/customer -H "Authorization: Bearer $TOKEN" | ${pick("Number")})
KEY=$(curl -s ${publicUrl}/sandbox/shop/key)
RECEIPT=R-$(date +%s)-$$
NOW=$(date -u +%Y-%m-%dT%H:%M:%SZ)`;
}

/** Example values for required fields. An amount is written in cents, after the sign of any currency. */
const values: Record<string, string> = {
  Email: "$EMAIL",
  Password: "cercle2026",
  ConfirmPassword: "cercle2026",
  Firstname: "Ada",
  Lastname: "Exemple",
  IdLoyaltyReward: "1",
  IdLoyaltyProgramEvent: "3",
  Code: `$(echo $TILL | ${pick("Code")})`,
  IdStaff: `$(echo $TILL | ${pick("IdStaff")})`,
  Pin: `$(echo $TILL | ${pick("Pin")})`,
  ReceiptNumber: "$RECEIPT",
  AmendNumber: "1",
  OriginalReceiptNumber: "$RECEIPT-sold",
  SoldAt: "$NOW",
  SentAt: "$NOW",
  VoucherCodes: "$VOUCHER",
  Day: "$(date +%Y-%m-%d)",
  Message: "'x is undefined'",
  Count: "1",
  Amount: "¤12985",
  VoucherAmount: "¤0",
  Items: `[{"Kind":"purchase","ReceiptNumber":"'$RECEIPT'","SoldAt":"'$NOW'","CardNumber":"'$CARD'","Amount":"¤8990"}]`,
};

/** Optional fields that the example needs. */
const more: Record<string, Record<string, string>> = {
  "POST customer": { Email: "new-$EMAIL", Password: "cercle2026", Birthday: "1990-04-24" },
  "GET legal": { Name: "privacy" },
  "PUT customer": { Lastname: "Lovelace" },
  "DELETE customer": { Password: "cercle2026" },
  "POST authentification/code": { Code: "$CODE" },
  "POST customer/email": { Email: "changed-$EMAIL" },
  "POST customer/autologin": { Token: "$TOKEN" },
  "POST customer/password": { CurrentPassword: "cercle2026", Password: "autre2026", ConfirmPassword: "autre2026" },
  "POST loyalty/subscribe": { LoyaltyCustomerState: "true" },
  "POST loyalty/receipt/claim": { ClaimCode: "$CLAIM" },
  "GET embed": { Amounts: "¤8990,¤3995", LanguageIsoCode: "en" },
  "POST shop/embed": { Sub: "$SUB" },
  "POST shop/consent": { Email: "$EMAIL", Channel: "email" },
  "POST shop/identify": { CardNumber: "$CARD", EntryMode: "scanned" },
  "POST shop/quote": { CardNumber: "$CARD", Lines: '[{"Line":"1","Amount":"¤8990"},{"Line":"2","Amount":"¤3995"}]' },
  "POST shop/purchase": { CardNumber: "$CARD", Lines: '[{"Line":"1","Amount":"¤8990"},{"Line":"2","Amount":"¤3995"}]' },
  "POST shop/purchase/amend": { ReceiptNumber: "$RECEIPT-sold", Lines: '[{"Line":"1","Amount":"¤8990"}]' },
  "GET shop/purchase": { ReceiptNumber: "$RECEIPT-sold" },
  "POST shop/join": { Email: "joined-$EMAIL", Firstname: "Ada", Lastname: "Exemple" },
  "POST shop/voucher/hold": { ReceiptNumber: "$RECEIPT" },
  "POST shop/voucher/release": { ReceiptNumber: "$RECEIPT" },
  "POST shop/return": { Lines: '[{"Line":"2"}]' },
  "GET till/receipt": { ReceiptNumber: "$RECEIPT-sold", Lines: '[{"Line":"2"}]' },
  "POST till/customer/receipts": { CardNumber: "$CARD" },
  "POST till/reward/obtain": { CustomerToken: "$CUSTOMER", Points: "250" },
  "POST till/search": { Text: "exem" },
  "POST till/enrol": { Email: "$EMAIL" },
  "POST loyalty/store/update": { NewsletterSubscribe: "true", LoyaltySubscribe: "true" },
};

/** A shell cannot make or use a passkey. */
export const needsAuthenticator = new Set([
  "POST authentification/passkey",
  "POST customer/passkey",
  "PUT customer/passkey/{id}",
  "DELETE customer/passkey/{id}",
]);

const person = "-F Email=social-$EMAIL -F Firstname=Alix -F Lastname=Moreau";

const isTill = ({ access }: Endpoint) => access === "till" || access === "till staff";

/** A browser that is a till, where a person has signed in. */
const openTill = (publicUrl: string) => `TILL=$(curl -s ${publicUrl}/sandbox/till.json)
curl -s -c till.jar ${publicUrl}/api/till/pair -F Code=${values["Code"]}
curl -s -b till.jar -c till.jar -H "Origin: ${publicUrl}" ${publicUrl}/api/till/sign-in -F IdStaff=${values["IdStaff"]} -F Pin=${values["Pin"]}
`;

const takesOutOfUse = "POST till/unpair";

/** The till's calls are the shop's: their examples need the same. */
const asShop = (line: string) => line.replace("POST till/", "POST shop/");

/** What the call needs first: an email's link, a provider's proof, the id of another session. */
function prepare(line: string, publicUrl: string): { setUp: string; more: string } {
  const email = `sleep 2
LINK=$(curl -s "${publicUrl}/sandbox/mailbox.json?to=$EMAIL" | grep -o 'token=[A-Za-z0-9_-]*' | head -1 | cut -d= -f2)
`;
  const google = `NONCE=$(curl -s -c jar -X POST ${publicUrl}/api/customer/social/nonce | ${pick("Nonce")})
PROOF=$(curl -s ${publicUrl}/sandbox/google/token ${person} -F Nonce=$NONCE)
`;
  const facebook = `PROOF=$(curl -s ${publicUrl}/sandbox/facebook/token ${person})
`;
  const proven = {
    google: ` -b jar -F IdToken=$(echo $PROOF | ${pick("IdToken")}) -F GoogleCustomerId=$(echo $PROOF | ${pick("GoogleCustomerId")})`,
    facebook: ` -F AccessToken=$(echo $PROOF | ${pick("AccessToken")}) -F FacebookCustomerId=$(echo $PROOF | ${pick("FacebookCustomerId")})`,
  };
  if (/(authentification|social)\/google$/.test(line)) return { setUp: google, more: proven.google };
  if (/(authentification|social)\/facebook$/.test(line)) return { setUp: facebook, more: proven.facebook };
  if (line.endsWith("password/validate") || line.endsWith("password/reset"))
    return {
      setUp: `curl -s ${publicUrl}/api/customer/password/forget -F Email=$EMAIL\n${email}`,
      more: " -F Token=$LINK",
    };
  const sale = (number: string, more: string) =>
    `curl -s ${publicUrl}/api/shop/purchase -H "Authorization: Bearer $KEY" -F ReceiptNumber=${number} -F SoldAt=$NOW -F SentAt=$NOW ${more}`;
  if (line === "POST loyalty/receipt/claim")
    return { setUp: `CLAIM=$(${sale("$RECEIPT", "-F Amount=¤8990")} | ${pick("ClaimCode")})\n`, more: "" };
  const needsSale = ["POST shop/return", "POST shop/purchase/amend", "GET shop/purchase", "GET till/receipt"];
  if (needsSale.includes(line)) {
    const lines = `-F 'Lines=[{"Line":"1","Amount":"¤8990"},{"Line":"2","Amount":"¤3995"}]'`;
    return { setUp: `${sale("$RECEIPT-sold", `-F CardNumber=$CARD ${lines}`)}\n`, more: "" };
  }
  if (line === "POST shop/embed")
    return {
      setUp: `SUB=$(curl -s ${publicUrl}/api/shop/identify -H "Authorization: Bearer $KEY" -F CardNumber=$CARD | ${pick("IdCustomer")})\n`,
      more: "",
    };
  if (line === "POST shop/reward/obtain")
    return {
      setUp: `${email}curl -s ${publicUrl}/api/customer/email/verify -H "Authorization: Bearer $TOKEN" -F Token=$LINK
CUSTOMER=$(curl -s -b till.jar -H "Origin: ${publicUrl}" ${publicUrl}/api/till/identify -F CardNumber=$CARD -F EntryMode=scanned | ${pick("CustomerToken")})
`,
      more: "",
    };
  if (line === "POST shop/receipt/email") {
    const sell = `curl -s -b till.jar -H "Origin: ${publicUrl}" ${publicUrl}/api/till/purchase`;
    const verify = `${email}curl -s ${publicUrl}/api/customer/email/verify -H "Authorization: Bearer $TOKEN" -F Token=$LINK`;
    const fields = "-F ReceiptNumber=$RECEIPT -F SoldAt=$NOW -F SentAt=$NOW -F CardNumber=$CARD -F Amount=¤8990";
    return { setUp: `${verify}\n${sell} ${fields}\n`, more: "" };
  }
  if (line === "POST shop/return/undo") {
    const back = "-F ReceiptNumber=$RECEIPT -F OriginalReceiptNumber=$RECEIPT-sold";
    const setUp = `${sale("$RECEIPT-sold", "-F CardNumber=$CARD -F Amount=89.90")}
curl -s -b till.jar -H "Origin: ${publicUrl}" ${publicUrl}/api/till/return ${back}
`;
    return { setUp, more: "" };
  }
  // The page of its people gives the one at the till access to the back office, as a person in charge has it.
  if (line === takesOutOfUse) return { setUp: `curl -s ${publicUrl}/sandbox/office > /dev/null\n`, more: "" };
  if (line === "POST shop/void")
    return { setUp: `${sale("$RECEIPT", "-F CardNumber=$CARD -F Amount=¤8990")}\n`, more: "" };
  if (line.startsWith("POST shop/voucher/"))
    return {
      setUp: `${email}curl -s ${publicUrl}/api/customer/email/verify -H "Authorization: Bearer $TOKEN" -F Token=$LINK
VOUCHER=$(curl -s ${publicUrl}/api/loyalty/reward/1/obtain -H "Authorization: Bearer $TOKEN" -F IdLoyaltyReward=1 | ${pick("Code")})
`,
      more: "",
    };
  if (line.endsWith("reward/1/obtain"))
    return {
      setUp: `${email}curl -s ${publicUrl}/api/customer/email/verify -H "Authorization: Bearer $TOKEN" -F Token=$LINK\n`,
      more: "",
    };
  if (line === "POST authentification/code")
    return {
      setUp: `curl -s -c jar ${publicUrl}/api/authentification/code/send -F Email=$EMAIL
while [ -z "$CODE" ]; do sleep 1; CODE=$(curl -s "${publicUrl}/sandbox/mailbox.json?to=$EMAIL" | grep -oE '"[0-9]{6} ' | head -1 | tr -d '" '); done
`,
      more: " -b jar",
    };
  if (line.endsWith("email/stop"))
    return {
      setUp: `curl -s ${publicUrl}/api/customer/email -H "Authorization: Bearer $TOKEN" -F Email=changed-$EMAIL\n${email}`,
      more: " -F Token=$LINK",
    };
  if (line.endsWith("email/validate")) return { setUp: email, more: " -F Token=$LINK" };
  if (line.startsWith("GET loyalty/pass"))
    return {
      setUp: `PASS=$(curl -s ${publicUrl}/api/shop/join -H "Authorization: Bearer $KEY" -F Email=pass-$EMAIL -F Firstname=Ada -F Lastname=Exemple | grep -o 'token=[A-Za-z0-9_-]*' | head -1 | cut -d= -f2)\n`,
      more: " -G -d Token=$PASS",
    };
  if (line.endsWith("email/verify")) return { setUp: email, more: ' -H "Authorization: Bearer $TOKEN" -F Token=$LINK' };
  if (line.endsWith("session/{id}"))
    return {
      setUp: `curl -s ${publicUrl}/api/authentification/email -F Email=$EMAIL -F Password=cercle2026
ID=$(curl -s ${publicUrl}/api/customer/session -H "Authorization: Bearer $TOKEN" | grep -o '"IdSession":[0-9]*' | tail -1 | cut -d: -f2)
`,
      more: "",
    };
  if (line.endsWith("social/{provider}"))
    return {
      setUp: `${facebook}curl -s ${publicUrl}/api/customer/social/facebook -H "Authorization: Bearer $TOKEN"${proven.facebook}\n`,
      more: "",
    };
  return { setUp: "", more: "" };
}

/** The call, to be pasted into a shell after the opening. */
export function exampleOf(line: string, endpoint: Endpoint, required: string[], publicUrl: string): string {
  const [method, path = ""] = line.split(" ");
  const { setUp: before, more: after } = prepare(line === takesOutOfUse ? line : asShop(line), publicUrl);
  const pairing = line === "POST till/pair" ? `TILL=$(curl -s ${publicUrl}/sandbox/till.json)\n` : "";
  const setUp = (isTill(endpoint) ? openTill(publicUrl) : pairing) + before;
  const jar = isTill(endpoint) ? ` -b till.jar -H "Origin: ${publicUrl}"` : pairing && " -c till.jar";
  const address = `${publicUrl}/api/${path.replace("{id}", "$ID").replace("{provider}", "facebook")}`;
  const byKey = endpoint.access === "key" || endpoint.access === "unchecked key";
  const token = byKey ? "$KEY" : endpoint.access === "customer" ? "$TOKEN" : undefined;
  const bearer = token ? ` -H "Authorization: Bearer ${token}"` : "";
  const wanted = {
    ...Object.fromEntries(required.map((name) => [name, values[name]])),
    ...more[asShop(line)],
    ...more[line],
  };
  const fields = Object.entries(wanted)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value?.startsWith("[") ? ` -F '${name}=${value}'` : ` -F ${name}=${value}`))
    .join("");
  const query = method === "GET" && fields ? ` -G${fields.replaceAll(" -F ", " -d ")}` : fields;
  const output = /(wallet|pass)\/apple$/.test(path) ? " -o cercle.pkpass" : "";
  const verb = method === "GET" || (method === "POST" && fields + after !== "") ? "" : ` -X ${method}`;
  const example = `${setUp}curl${verb} ${address}${output}${bearer}${jar}${query}${after}`;
  return example.replace(/¤(\d+)/g, (_, cents) => amountOf(Number(cents)));
}
