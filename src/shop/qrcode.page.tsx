import { Link, type LoaderFunctionArgs } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/browser/session.ts";
import { shopDeviceField } from "#identity/session/device/shop-device.ts";
import { readProgramme } from "#loyalty/calls.ts";
import { maybeStanding, useReturnText } from "#loyalty/programme/join-links.tsx";
import { useWelcomeGift } from "#loyalty/programme/use-welcome-gift.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { useLoaded } from "#platform/api/client/use-loaded.ts";
import { Drape } from "#ui/fabric/drape.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { SvgImage } from "#ui/svg-image.tsx";
import { readPoster } from "./calls.ts";

export async function loader(args: LoaderFunctionArgs) {
  const call = args.context.get(callContext);
  const [poster, programme, standing] = await Promise.all([call(readPoster), call(readProgramme), maybeStanding(args)]);
  return { poster, programme, standing };
}

/** The shop's poster: for a screen beside the till, or printed on one sheet of A4. */
export function Component() {
  const { poster, programme, standing } = useLoaded<typeof loader>();
  const { t } = useTexts();
  const path = useLocalePath();
  const customer = useCustomer();
  const returnText = useReturnText(standing);
  const gift = useWelcomeGift(programme);
  // A response cached before the last release has no short address.
  const address = (poster.ShortUrl ?? poster.Url).replace(/^https?:\/\//, "");
  return (
    <main id="content" className="grid grow lg:grid-cols-2 print:block print:text-center">
      <PageTitle title={t("store.title")} />
      <div className="beside-picture flex flex-col justify-center py-14 lg:py-16 print:p-0">
        <p aria-hidden="true" className="hidden font-display text-6xl tracking-wordmark print:mb-[1.1cm] print:block">
          {t("wordmark")}
        </p>
        <p className="kicker text-soft print:text-ink">{t("store.kicker")}</p>
        <h1 className="mt-6 text-hero-lg print:text-9xl">
          {t("store.headline1")}
          <br />
          <em>{t("store.headline2")}</em>
        </h1>
        {/* The sheet is for others: it always has the gift. */}
        <p
          className={`mt-6 max-w-[30rem] text-lg text-soft print:mx-auto print:block print:text-2xl print:text-ink ${returnText ? "hidden" : ""}`}
        >
          {t("store.lead", gift)}
        </p>
        <ol className="mt-8 max-w-[30rem] border-line border-t print:hidden">
          {[t("store.step1"), t("store.step2"), t("store.step3")].map((step, index) => (
            <li key={step} className="flex gap-5 border-line border-b py-4">
              {/* Lines of one height, not of one baseline: the row is as high in any font. */}
              <span
                aria-hidden="true"
                className="w-3 shrink-0 font-display text-xl text-ornament italic leading-[1.55rem]"
              >
                {index + 1}
              </span>
              {step}
            </li>
          ))}
        </ol>
        {customer && (
          <div className="mt-8 flex max-w-[30rem] flex-wrap items-center justify-between gap-x-6 gap-y-4 bg-linen p-5 print:hidden">
            {customer.LoyaltySubscribe ? <p>{t("store.signedIn")}</p> : returnText && <p>{returnText}</p>}
            <Link className="button small" to={path(pagePaths.memberPage)}>
              {t(customer.LoyaltySubscribe ? "loyalty.toCard" : returnText ? "loyalty.return" : "loyalty.join")}
            </Link>
          </div>
        )}
        <div className="mt-9 flex flex-wrap items-center gap-x-6 gap-y-5 print:hidden">
          <button type="button" className="button solid min-w-60" onClick={() => print()}>
            {t("store.print")}
          </button>
          {/* Signs out any customer, and loads the registration as a new document. */}
          <form method="post" action={`${path("/")}?index`}>
            <input type="hidden" {...shopDeviceField} />
            <button type="submit" className="min-h-11">
              <span className="underlined py-1">{t("store.here")}</span>
            </button>
          </form>
        </div>
      </div>
      <div className="relative isolate flex items-center justify-center px-6 py-14 print:mt-[1.1cm] print:p-0">
        <div className="contents print:hidden">
          <Drape name="silk-hero" first />
        </div>
        <figure className="light-scheme relative w-full max-w-[26rem] bg-paper p-6 text-center print:max-w-none print:p-0">
          <SvgImage svg={poster.QrSvg} alt={t("store.qr")} className="mx-auto w-full print:w-[12cm]" />
          <figcaption className="mt-4 [overflow-wrap:anywhere] text-md text-soft print:text-ink">
            {t("store.or", { address })}
          </figcaption>
        </figure>
      </div>
    </main>
  );
}
