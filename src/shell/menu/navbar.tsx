import { Link } from "react-router";
import { pictureAddress } from "#brand/pictures.ts";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { clubPath } from "#loyalty/paths.ts";
import { LoadingBar } from "#shell/navigation/loading-bar.tsx";
import { useSite } from "#shell/site.tsx";
import { LanguageSwitch } from "./language-switch.tsx";

export function Navbar({ firstname }: { firstname: string | undefined }) {
  const { t, formats } = useTexts();
  const logo = pictureAddress(formats, "logo");
  const path = useLocalePath();
  const { sandbox } = useSite();
  return (
    <>
      {sandbox && (
        <aside className="bg-linen px-5 py-1.5 text-center text-xs text-soft print:hidden">
          {t("shell.sandbox")} ·{" "}
          <a className="underline underline-offset-2" href="/sandbox/mailbox">
            {t("shell.sandboxMailbox")}
          </a>
        </aside>
      )}
      <header className="border-line border-b print:hidden">
        <LoadingBar />
        <div className="wrap flex min-h-[3.75rem] flex-wrap items-center justify-between gap-x-4 lg:min-h-[4.75rem]">
          <Link
            to={path("/")}
            className="flex min-h-11 items-center font-display text-3xl leading-none tracking-wordmark lg:text-3xl"
            aria-label={t("brand")}
          >
            {logo ? <img className="light-scheme h-8 w-auto bg-paper" src={`${logo}.svg`} alt="" /> : t("wordmark")}
          </Link>
          <nav aria-label={t("brand")} className="ml-auto flex items-center gap-3 text-md lg:gap-5">
            <Link className="flex min-h-11 items-center max-md:hidden" to={path(clubPath)}>
              {t("shell.toProgramme")}
            </Link>
            <LanguageSwitch />
            <Link className="flex min-h-11 min-w-11 max-w-32 items-center justify-end" to={path(pagePaths.account)}>
              <span className="truncate">{firstname ?? t("shell.myAccount")}</span>
            </Link>
          </nav>
        </div>
      </header>
    </>
  );
}
