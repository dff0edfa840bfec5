import { Link, useOutletContext } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { EraseForm } from "#identity/profile/erase-form.tsx";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed, useLoaded } from "#platform/api/client/use-loaded.ts";
import { later } from "#ui/lazy.tsx";
import { PageTitle } from "#ui/page-title.tsx";

export const loader = later(async () => (await import("./erase.data.ts")).loader);
export const action = formAction(later(async () => (await import("#identity/profile/informations.data.ts")).act));

/** Erasing the account, with what is lost by it. */
export function Component() {
  const { t, number } = useTexts();
  const path = useLocalePath();
  const loaded = useLoaded<typeof loader>();
  const acted = useActed<typeof action>();
  const standing = useOutletContext<LoyaltyCustomer | null>();
  const points = standing?.Points.Available ?? 0;
  const lost = [
    t("informations.eraseLostDetails"),
    standing?.Tier && t("informations.eraseLostCard", { tier: standing.Tier.Name }),
    points > 0 && t("informations.eraseLostPoints", { count: points, formatted: number(points) }),
    loaded && loaded.vouchers > 0 && t("informations.eraseLostVouchers", { count: loaded.vouchers }),
  ].filter((line) => typeof line === "string");
  return (
    <>
      <PageTitle title={t("informations.erase")} />
      <h1 className="text-title">{t("informations.erase")}</h1>
      <div className="mt-8 max-w-[34rem] space-y-8">
        <p className="text-soft">{t("informations.eraseText")}</p>
        <ul className="border-ink border-t">
          {lost.map((line) => (
            <li key={line} className="border-line border-b py-3">
              {line}
            </li>
          ))}
        </ul>
        {loaded && (
          <EraseForm
            customer={loaded.customer}
            proofNeeded={loaded.proofNeeded}
            refused={isRefused(acted) ? acted : undefined}
          />
        )}
        <Link className="inline-flex min-h-11 items-center" to={path(pagePaths.informations)}>
          <span className="underlined">{t("informations.eraseBack")}</span>
        </Link>
      </div>
    </>
  );
}
