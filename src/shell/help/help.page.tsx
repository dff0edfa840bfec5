import { useEffect, useRef, useState } from "react";
import { Link, type LoaderFunctionArgs, useSearchParams } from "react-router";
import type { ShopPages } from "#brand/shop-pages.ts";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { readProgramme } from "#loyalty/calls.ts";
import { clubPath } from "#loyalty/paths.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { useLoaded } from "#platform/api/client/use-loaded.ts";
import { PageTitle } from "#ui/page-title.tsx";
import { useShop } from "#ui/web-shop.ts";
import { Contact } from "./contact.tsx";
import { containsWords } from "./search.ts";

const searchParameter = "q";

export async function loader({ context }: LoaderFunctionArgs) {
  const programme = await context.get(callContext)(readProgramme);
  const { Contact, PointsValidMonths, PendingDays, TierMonths, Rewards, Events } = programme;
  return {
    ...{ Contact, PointsValidMonths, PendingDays, TierMonths, validDays: Rewards.map(({ ValidDays }) => ValidDays) },
    yearly: Events.some(({ Frequency }) => Frequency === "yearly"),
  };
}

/** Questions by subject. A plain page: without script the search is a form, with script it filters while one types. */
export function Component() {
  const {
    Contact: contact,
    PointsValidMonths: pointMonths,
    PendingDays: pendingDays,
    TierMonths: tierMonths,
    validDays,
    yearly,
  } = useLoaded<typeof loader>();
  const { t } = useTexts();
  const [shortest, longest] = [Math.min(...validDays), Math.max(...validDays)];
  const valid =
    shortest === longest ? t("help.validDays", { days: longest }) : t("help.validBetween", { shortest, longest });
  // Questions about what the programme does not have are left out.
  const offered: Partial<Record<string, boolean>> = { valid: validDays.length > 0, birthday: yearly };
  const values = { pointMonths, pendingDays, tierMonths, valid };
  const [parameters] = useSearchParams();
  const [search, setSearch] = useState(parameters.get(searchParameter) ?? "");
  const field = useRef<HTMLInputElement>(null);
  // What was typed before the script was there changed the field alone.
  useEffect(() => setSearch((before) => field.current?.value ?? before), []);
  const subjects = useSubjects()
    .map(({ subject, questions }) => ({
      subject,
      questions: questions.filter(
        ({ name }) =>
          offered[name] !== false &&
          containsWords(
            // The last are other words for it, which no page shows.
            [
              t(`help.${subject}`),
              t(`help.${name}Question`),
              t(`help.${name}Answer`, values),
              t(`help.${name}Words`),
            ].join(" "),
            search,
          ),
      ),
    }))
    .filter(({ questions }) => questions.length > 0);
  const count = subjects.reduce((total, { questions }) => total + questions.length, 0);
  return (
    <main id="content" className="wrap pt-14 pb-20 lg:pt-20">
      <PageTitle title={t("help.title")} description={t("help.description")} />
      <p className="kicker text-soft">{t("help.title")}</p>
      <h1 className="mt-6 text-hero">
        {t("help.headline1")} <em>{t("help.headline2")}</em>
      </h1>
      <search className="mt-8 block max-w-[34rem]">
        <form onSubmit={(event) => event.preventDefault()}>
          <label htmlFor="help-search" className="mb-2 block text-md">
            {t("help.search")}
          </label>
          <div className="flex flex-wrap gap-3">
            <input
              ref={field}
              id="help-search"
              className="field min-w-0 flex-1 basis-40"
              type="search"
              name={searchParameter}
              maxLength={80}
              autoComplete="off"
              enterKeyHint="search"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            <button className="button" type="submit">
              {t("help.submit")}
            </button>
          </div>
        </form>
      </search>
      <p role="status" className="mt-4 min-h-6 text-md text-soft">
        {search.trim() !== "" && t("help.found", { count })}
      </p>
      <div className="mt-8 space-y-14">
        {subjects.map(({ subject, questions }) => (
          <section
            key={subject}
            aria-labelledby={`help-${subject}`}
            className="grid gap-x-6 gap-y-6 border-ink border-t pt-5 lg:grid-cols-12"
          >
            <h2 id={`help-${subject}`} className="text-section lg:col-span-4">
              {t(`help.${subject}`)}
            </h2>
            <div className="divide-y divide-line lg:col-span-8">
              {questions.map(({ name, link }) => (
                <div key={name} id={name} className="scroll-mt-24 py-5 first:pt-1">
                  <h3 className="font-sans font-medium text-lg tracking-normal leading-snug">
                    {t(`help.${name}Question`)}
                  </h3>
                  <p className="mt-2 max-w-[40rem] text-soft">{t(`help.${name}Answer`, values)}</p>
                  {link}
                </div>
              ))}
            </div>
          </section>
        ))}
        <Contact contact={contact} />
      </div>
    </main>
  );
}

function useSubjects() {
  const { t } = useTexts();
  const path = useLocalePath();
  const shop = useShop();
  const style = "mt-1 inline-flex min-h-11 items-center";
  const to = (page: string, words: string) => (
    <Link className={style} to={path(page)}>
      <span className="underlined">{words}</span>
    </Link>
  );
  const toShop = (page: keyof ShopPages, words: string) => (
    <a className={style} href={shop(page)}>
      <span className="underlined">{words}</span>
    </a>
  );
  return [
    {
      subject: "vouchers",
      questions: [
        { name: "use", link: to(`${pagePaths.memberPage}?state=available#vouchers`, t("help.useLink")) },
        { name: "rules", link: null },
        { name: "valid", link: null },
      ],
    },
    {
      subject: "points",
      questions: [
        { name: "missing", link: to(`${pagePaths.memberPage}?tab=history#receipt`, t("help.missingLink")) },
        { name: "earn", link: to(clubPath, t("help.earnLink")) },
        { name: "card", link: to(pagePaths.memberPage, t("help.cardLink")) },
        { name: "birthday", link: null },
        { name: "lapse", link: null },
        { name: "status", link: null },
      ],
    },
    {
      subject: "returns",
      questions: [
        { name: "back", link: toShop("Returns", t("help.backLink")) },
        { name: "taken", link: null },
      ],
    },
    {
      subject: "account",
      questions: [
        { name: "address", link: to(pagePaths.informations, t("help.addressLink")) },
        { name: "enter", link: to(pagePaths.forget, t("help.enterLink")) },
        { name: "data", link: toShop("Privacy", t("help.dataLink")) },
      ],
    },
  ] as const;
}
