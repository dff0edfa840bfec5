import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { EntryDetails } from "./entry-details.tsx";

function shown(after: unknown, locale: Locale) {
  const details = <EntryDetails reason={null} before={null} after={after} known={{ staff: [], shops: [] }} />;
  return renderToStaticMarkup(<TextsProvider texts={textsOf[locale]}>{details}</TextsProvider>);
}

test("an entry names a campaign in the language of its reader, and an older one by the only name it has", () => {
  const campaign = { fr: "Ventes privées", en: "Private sale", de: "Privatverkauf" };
  expect(shown({ campaign }, "fr")).toContain("Ventes privées");
  expect(shown({ campaign }, "en")).toContain("Private sale");
  expect(shown({ campaign }, "de")).toContain("Privatverkauf");
  expect(shown({ campaign: "Ventes privées" }, "de")).toContain("Ventes privées");
});

test("an entry says in words which month it is about and what a campaign is judged by", () => {
  expect(shown({ month: "2026-09" }, "de")).toContain("September 2026");
  expect(shown({ metric: "revenue" }, "en")).toContain("Spent per member");
});

test("points of an adjustment have a sign, the balance of a closed month has none", () => {
  expect(shown({ points: 350 }, "de")).toContain("+350");
  expect(shown({ month: "2026-09", points: 350 }, "de")).toMatch(/[^+]350/);
});
