import { z } from "zod";

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

/**
 * A moment as PostgreSQL writes it, with its microseconds. JavaScript would also read the 31st of February or a zone of
 * twenty hours, which PostgreSQL refuses.
 */
export const cursorMoment = z
  .string()
  .regex(/^20\d\d-\d\d-\d\d[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d)?$/)
  .refine((text) => z.iso.date().safeParse(text.slice(0, 10)).success);
