import type { readShop } from "#office/shops/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

/** Somebody who may sign in at a shop's tills. */
export type Seller = ResponseBody<typeof readShop>["Staff"][number];

export const nameOf = ({ Firstname, Lastname }: Seller) => `${Firstname} ${Lastname}`;
