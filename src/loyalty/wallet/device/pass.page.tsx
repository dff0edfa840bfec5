import { type LoaderFunctionArgs, redirect } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { passToApple, passToGoogle, readPass, readWallets } from "#loyalty/calls.ts";
import { Barcode } from "#loyalty/card/barcode.tsx";
import { LoyaltyCard } from "#loyalty/card/card.tsx";
import { passTokenParameter, walletParameter } from "#loyalty/paths.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import { useLoaded } from "#platform/api/client/use-loaded.ts";
import { PageTitle } from "#ui/page-title.tsx";
import { deviceOf } from "./wallet-device.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get(passTokenParameter);
  if (!token) return undefined;
  const call = context.get(callContext);
  try {
    if (searchParams.get(walletParameter) === "google")
      throw redirect((await call(passToGoogle, { Token: token })).SaveUrl);
    const [pass, wallets] = await Promise.all([call(readPass, { Token: token }), call(readWallets)]);
    return { pass, wallets, token, device: deviceOf(request.headers.get("user-agent") ?? "") };
  } catch (error) {
    if (error instanceof CallFailed && (error.status === 409 || error.status === 400)) return undefined;
    throw error;
  }
}

/** /pass?token=…: a customer whom a shop has just registered takes the card along on their phone, without signing in. */
export function Component() {
  const { t } = useTexts();
  const found = useLoaded<typeof loader>();
  const title = t(found ? "pass.title" : "pass.expiredTitle");
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-title">{title}</h1>
      <p className="mt-4 text-soft">{t(found ? "pass.text" : "pass.expiredText")}</p>
      {found && <Pass {...found} />}
    </>
  );
}

function Pass({ pass, wallets, token, device }: Exclude<Awaited<ReturnType<typeof loader>>, undefined>) {
  const { t } = useTexts();
  const address = (more: Record<string, string> = {}) => new URLSearchParams({ Token: token, ...more });
  const google = new URLSearchParams({ [passTokenParameter]: token, [walletParameter]: "google" });
  return (
    <>
      <div className="mt-8 grid gap-6">
        <LoyaltyCard
          rank={pass.Tier.Rank}
          tier={pass.Tier.Name}
          points={pass.Points}
          name={pass.Name}
          code={{ number: pass.CardNumber, bars: <Barcode svg={pass.BarcodeSvg} /> }}
        />
        <div className="grid gap-3">
          {wallets.Google && device !== "apple" && (
            <a className="button solid" href={`?${google}`}>
              {t("pass.google")}
            </a>
          )}
          {wallets.Apple && device !== "google" && (
            <a className="button solid" href={`/api/${passToApple.replace("GET ", "")}?${address()}`}>
              {t("pass.apple")}
            </a>
          )}
        </div>
      </div>
      <p className="mt-6 text-md text-soft">{t("pass.letter")}</p>
    </>
  );
}
