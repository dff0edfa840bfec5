import type { z } from "zod";

/**
 * Every call of the product, by its line on the wire. Each room adds its contract here, as a type:
 * the browser knows the shapes and loads none of the schemas.
 */
// biome-ignore lint/suspicious/noEmptyInterface: rooms fill it by declaration merging.
export interface Api {}

export type Wire = keyof Api & string;

type InputSchema<W extends Wire> = Api[W] extends { input: infer Schema extends z.ZodType } ? Schema : never;
type ResponseSchema<W extends Wire> = Api[W] extends { response: infer Schema extends z.ZodType } ? Schema : never;

/** What a caller may send: the declared fields, as plain values. */
export type Input<W extends Wire> = {
  [Field in keyof z.input<InputSchema<W>>]: z.input<InputSchema<W>>[Field] | number | boolean;
};

export type ResponseBody<W extends Wire> = z.output<ResponseSchema<W>>;
