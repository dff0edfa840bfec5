import { localeFields, wire } from "#platform/api/endpoint.server.ts";
import { defaultProgrammeId } from "./programme.server.ts";

/** There is one programme; another is unknown rather than malformed, so the handler judges it. */
export const programmeField = () => wire.id().default(defaultProgrammeId);

/** The fields of every query of the club. */
export const clubQuery = { IdLoyaltyProgram: programmeField(), ...localeFields };

/** The fields of every form of the club. */
export const clubForm = { LanguageIsoCode: wire.language(), IdLoyaltyProgram: programmeField() };
