import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { loadTexts, openTexts } from "#i18n/catalogues.ts";
import { defaultLocale, localeOfCode } from "#i18n/locale.ts";
import type { Catalogue } from "#i18n/texts.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { reportCaughtError, reportErrors } from "#platform/client-errors/report-errors.ts";
import { closeOthersOfGroup } from "#ui/browser/exclusive-details.ts";
import { FormContext, staffForms } from "#ui/form/form.tsx";
import { createOfficeRouter } from "./routes.tsx";
import "./office.css";

/** Not among the parts of the pages' catalogue, whose list every customer loads. */
const officeTexts = import.meta.glob<Catalogue>("/messages/*.json", { query: "?office", import: "default" });

async function show() {
  const locale = localeOfCode(document.documentElement.lang) ?? defaultLocale();
  // The account's part has the names of the months.
  const [texts, own] = await Promise.all([
    openTexts(locale),
    officeTexts[`/messages/${locale}.json`]?.(),
    loadTexts("account"),
  ]);
  if (own) texts.add(own);
  const root = document.getElementById("office");
  if (!root) return;
  createRoot(root, { onCaughtError: reportCaughtError }).render(
    <StrictMode>
      <TextsProvider texts={texts}>
        <FormContext value={staffForms}>
          <RouterProvider router={createOfficeRouter(locale)} />
        </FormContext>
      </TextsProvider>
    </StrictMode>,
  );
}

reportErrors();
if (!("name" in HTMLDetailsElement.prototype)) closeOthersOfGroup();
void show();
