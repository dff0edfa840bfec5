import type { z } from "zod";

/**
 * Every call of the product, by its method and path. Each module adds its contract here, as a type:
 * the browser knows the shapes and loads none of the schemas.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules fill it by declaration merging.
export interface Api {}

export type EndpointName = keyof Api & string;

type InputSchema<W extends EndpointName> = Api[W] extends { input: infer Schema extends z.ZodType } ? Schema : never;
type ResponseSchema<W extends EndpointName> = Api[W] extends { response: infer Schema extends z.ZodType }
  ? Schema
  : never;

/** What a caller may send: the declared fields, as plain values. */
export type Input<W extends EndpointName> = {
  [Field in keyof z.input<InputSchema<W>>]: z.input<InputSchema<W>>[Field] | number | boolean;
};

export type ResponseBody<W extends EndpointName> = z.output<ResponseSchema<W>>;
