import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { LoadingBar } from "#shell/navigation/loading-bar.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { useSite } from "./site.tsx";

export function Navbar({ firstname }: { firstname: string | undefined }) {
  const { t } = useTexts();
  const path = useLocalePath();
  const { sandbox } = useSite();
  return (
    <>
      {sandbox && (
        <aside className="bg-linen px-5 py-1.5 text-center text-[0.8125rem] text-soft print:hidden">
          {t("shell.sandbox")} ·{" "}
          <a className="underline underline-offset-2" href="/sandbox/mailbox">
            {t("shell.sandboxMailbox")}
          </a>
        </aside>
      )}
      <header className="flex min-h-[3.75rem] flex-wrap items-center justify-between gap-x-4 border-line border-b px-5 lg:min-h-[4.75rem] lg:px-[2.6rem] print:hidden">
        <LoadingBar />
        <Link
          to={path("/")}
          className="flex min-h-11 items-center font-display text-[1.45rem] leading-none tracking-[0.28em] lg:text-[1.85rem]"
          aria-label={t("brand")}
        >
          CERCLE
        </Link>
        <nav aria-label={t("brand")} className="ml-auto flex items-center gap-3 text-[0.9375rem] lg:gap-5">
          <LanguageSwitch />
          <Link className="flex min-h-11 max-w-32 items-center" to={path(pagePaths.account)}>
            <span className="truncate">{firstname ?? t("shell.myAccount")}</span>
          </Link>
        </nav>
      </header>
    </>
  );
}
