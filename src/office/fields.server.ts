import { z } from "zod";
import { fieldTypes } from "#platform/api/endpoint.server.ts";

/** What the contracts of the back office share. */
export const nothing = z.object({});
export const language = { LanguageIsoCode: fieldTypes.language() };
/** The id of a person or a shop, which the database stores as an integer. */
export const { integerId } = fieldTypes;
export const moment = z.iso.datetime();
