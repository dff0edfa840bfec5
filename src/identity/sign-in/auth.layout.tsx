import { Outlet } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Drape } from "#ui/fabric/drape.tsx";

/** Sign-in, registration, password: a picture on the left, the form on the right; on a phone an object above the form. */
export function Component() {
  const { t } = useTexts();
  return (
    <div className="grid grow max-lg:content-start lg:grid-cols-12">
      <div className="light-scheme relative isolate hidden overflow-hidden lg:col-span-5 lg:block">
        <Drape name="silk-tile" own="sign-in" first />
        <p
          aria-hidden="true"
          className="absolute bottom-12 left-[max(2.5rem,calc(50vw-38.75rem))] font-display text-7xl leading-[1.04] tracking-heading"
        >
          {t("identity.tagline1")}
          <br />
          <em>{t("identity.tagline2")}</em>
        </p>
      </div>
      <div className="relative isolate h-36 lg:hidden">
        <Drape name="silk-tile" still={6} />
      </div>
      <main id="content" className="flex min-w-0 justify-center px-5 py-10 lg:col-span-7 lg:py-20">
        <div className="w-full min-w-0 max-w-[27.5rem]">
          <Outlet />
        </div>
      </main>
    </div>
  );
}
