import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { priceTypes } from "#loyalty/programme/line-rule.ts";
import { defaultProgrammeId, type FindProgramme } from "#loyalty/programme/programme.server.ts";

/** What a line may say of itself, by the version in force. */
export async function readCatalogue(findProgramme: FindProgramme, now: Date, locale: Locale) {
  const { earnsOn, lineCodes, rewards } = await findProgramme(defaultProgrammeId, now);
  const { t } = textsOf[locale];
  return {
    PriceTypes: priceTypes.map((PriceType) => ({ PriceType, Name: t(`office.priceType.${PriceType}`) })),
    Codes: lineCodes.map(({ code: Code, name }) => ({ Code, Name: name[locale] })),
    UsedByRules: [earnsOn, ...rewards.map(({ usableOn }) => usableOn)].some(
      (rule) => rule && Object.keys(rule).length > 0,
    ),
  };
}
