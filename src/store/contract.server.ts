import { z } from "zod";
import { endpoint, wire } from "#platform/endpoint.server.ts";
import { readPoster } from "./calls.ts";

export const storeContract = {
  [readPoster]: endpoint({
    summary: "What the poster in the shop shows: where its QR code leads, and the code itself.",
    access: "anyone",
    input: z.object({ LanguageIsoCode: wire.language() }),
    answer: z.object({ Url: z.string(), QrSvg: z.string() }),
    refusals: [],
    publicSeconds: 3600,
  }),
};

type StoreContract = typeof storeContract;
declare module "#platform/api.ts" {
  interface Api extends StoreContract {}
}
