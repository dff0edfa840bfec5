import type { z } from "zod";

/** Where the next page of a list begins, as callers send it back. */
export const encodeCursor = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString("base64url");

/** Undefined when it is no cursor of this list: the caller refuses it, or begins at the beginning. */
export function decodeCursor<Place>(cursor: string | undefined, place: z.ZodType<Place>): Place | undefined {
  try {
    return place.safeParse(JSON.parse(Buffer.from(cursor ?? "", "base64url").toString())).data;
  } catch {
    return undefined;
  }
}
