import { useEffect, useState } from "react";
import { writtenEmail } from "./punycode.ts";

/**
 * An address as people write it, on a page that shows it at once. Few addresses need it: the server renders it, and the browser
 * loads the decoder only for a page that it renders itself.
 */
export function WrittenEmail({ email }: { email: string }) {
  const [written, setWritten] = useState(import.meta.env.SSR ? writtenEmail(email) : email);
  useEffect(() => {
    setWritten(email);
    if (email.includes("xn--"))
      void import("./punycode.ts").then((punycode) => setWritten(punycode.writtenEmail(email)));
  }, [email]);
  return <span suppressHydrationWarning>{written}</span>;
}
