import { z } from "zod";
import { wire } from "#platform/api/endpoint.server.ts";

/** What the contracts of the back office share. */
export const nothing = z.object({});
export const language = { LanguageIsoCode: wire.language() };
/** The id of a person or a shop, which the database stores as an integer. */
export const { integerId } = wire;
export const moment = z.iso.datetime();
