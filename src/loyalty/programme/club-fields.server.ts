import { fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";
import { defaultProgrammeId } from "./programme.server.ts";

/** There is one programme; another id is unknown, not malformed, so the handler refuses it with `not_found`. */
export const programmeField = () => fieldTypes.integerId().default(defaultProgrammeId);

/** The fields of every query of the club. */
export const clubQuery = { IdLoyaltyProgram: programmeField(), ...localeFields };

/** The fields of every form of the club. */
export const clubForm = { LanguageIsoCode: fieldTypes.language(), IdLoyaltyProgram: programmeField() };
