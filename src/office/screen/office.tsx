import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadTexts, openTexts } from "#i18n/catalogues.ts";
import { defaultLocale, localeOfCode } from "#i18n/locale.ts";
import type { Catalogue } from "#i18n/texts.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { visitorMark } from "#office/paths.ts";
import { SignIn } from "#office/sign-in/screen/sign-in.tsx";
import { reportCaughtError, reportErrors } from "#platform/client-errors/report-errors.ts";
import { closeOthersOfGroup } from "#ui/browser/exclusive-details.ts";
import { whenIdle } from "#ui/browser/when-idle.ts";
import { FormContext, staffForms } from "#ui/form/form.tsx";
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
  const element = document.getElementById("office");
  if (!element) return;
  const root = createRoot(element, { onCaughtError: reportCaughtError });
  const render = (children: ReactNode) =>
    root.render(
      <StrictMode>
        <TextsProvider texts={texts}>
          <FormContext value={staffForms}>{children}</FormContext>
        </TextsProvider>
      </StrictMode>,
    );
  const openPages = async () => render((await loadPages()).officePages(locale));
  if (!document.querySelector(`meta[name=${visitorMark}]`)) return openPages();
  // A release may have removed the pages' script since: the document of who is signed in names the new one.
  render(<SignIn onDone={() => void openPages().catch(() => location.reload())} />);
  // While a person types.
  whenIdle(loadPages);
}

/** The router and every page, which a browser without a session does not need to show the sign-in. */
const loadPages = () => import("./routes.tsx");

reportErrors();
if (!("name" in HTMLDetailsElement.prototype)) closeOthersOfGroup();
void show();
