import { z } from "zod";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { failures } from "./failures.ts";

const Failure = z.object({
  id: z.enum(failures),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Failure = z.infer<typeof Failure>;

export const sentence = (locale: Locale, { id, values }: Failure): string =>
  textsOf[locale].t(`office.move.failure.${id}`, values);

/** As it is stored with a run. */
export const storedFailure = (failure: Failure): string => JSON.stringify(failure);
export const readFailure = (stored: string): Failure => Failure.parse(JSON.parse(stored));
