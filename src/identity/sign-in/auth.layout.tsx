import { Outlet } from "react-router";
import { pictureAddress } from "#brand/pictures.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Drape } from "#ui/fabric/drape.tsx";

/** Sign-in, registration, password: a picture on the left, the form on the right; on a phone an object above the form. */
export function Component() {
  const { t, formats } = useTexts();
  const object = pictureAddress(formats, "still-6");
  return (
    <div className="grid grow max-lg:content-start lg:grid-cols-12">
      <div className="light-scheme relative isolate max-lg:h-36 lg:col-span-5">
        <Drape name="silk-hero" own="sign-in" first>
          {object && <source media="(width < 64rem)" type="image/avif" srcSet={`${object}.avif`} />}
        </Drape>
        <p aria-hidden="true" className="tagline absolute font-display text-7xl max-lg:hidden">
          {t("identity.tagline1")}
          <br />
          <em>{t("identity.tagline2")}</em>
        </p>
      </div>
      <main id="content" className="flex min-w-0 justify-center px-5 py-10 lg:col-span-7 lg:py-20">
        <div className="w-full min-w-0 max-w-[27.5rem]">
          <Outlet />
        </div>
      </main>
    </div>
  );
}
