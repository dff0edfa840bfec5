import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { clubDay } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { listReceipts } from "#office/receipts/calls.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import * as calls from "#office/shops/calls.ts";
import { readSession } from "#office/sign-in/calls.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Conflicts } from "./conflicts.tsx";
import { Keys } from "./keys.tsx";
import { PairPanel } from "./pair-panel.tsx";
import { People } from "./people.tsx";
import { RenamePanel } from "./rename-panel.tsx";
import { Report } from "./report.tsx";
import { Tills } from "./tills.tsx";

export async function loadShop({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const IdShop = params.get("id") ?? "";
  const Cursor = params.get("cursor");
  const Day = params.get("day") ?? clubDay();
  const { Role } = await browserCall(readSession);
  const [shop, report, waiting, keys, day] = await Promise.all([
    browserCall(calls.readShop, { IdShop }),
    browserCall(calls.readReport, { IdShop, Day }),
    browserCall(calls.listConflicts, { IdShop, ...(Cursor && { Cursor }) }),
    Role === "owner" ? browserCall(calls.listKeys, { IdShop }) : undefined,
    browserCall(listReceipts, { IdShop, Day }),
  ]);
  return { ...shop, report, waiting, Keys: keys?.Keys, day };
}

const tabs = ["day", "cases", "tills", "team"] as const;

/** One shop in four tabs: its day, what waits for a decision, its tills and keys, its people. */
export function Shop() {
  const { t, number } = useTexts();
  const { Shop: shop, Tills: tills, Staff, Keys: keys, report, waiting, day } = useLoaderData<typeof loadShop>();
  const { open, setOpen, close, finish, status } = useDone<"pair" | "rename" | "close" | "reopen">();
  const { Role } = useSession();
  const { dayOfYear } = useFormats();
  const [params] = useSearchParams();
  const shown = tabs.find((tab) => tab === params.get("tab")) ?? "day";
  const counts = {
    cases: waiting.Conflicts.length,
    tills: tills.filter(({ RevokedAt }) => !RevokedAt).length,
    team: Staff.length,
  };
  return (
    <>
      <PageHead
        title={shop.Name}
        note={`${t("office.shop.where", { city: shop.City, id: shop.IdShop })} · ${t(`office.shopKind.${shop.Kind}`)}`}
      >
        {Role === "owner" && (
          <button type="button" className="button" onClick={() => setOpen("rename")}>
            {t("office.shops.rename")}
          </button>
        )}
        {Role === "owner" && (
          <button type="button" className="button" onClick={() => setOpen(shop.ClosedAt ? "reopen" : "close")}>
            {t(shop.ClosedAt ? "office.shops.reopen" : "office.shops.close")}
          </button>
        )}
        {!shop.ClosedAt && (
          <button type="button" className="button solid" onClick={() => setOpen("pair")}>
            {t("office.tills.pair")}
          </button>
        )}
      </PageHead>
      {status}
      {shop.ClosedAt && <p className="banner">{t("office.shops.closedSince", { date: dayOfYear(shop.ClosedAt) })}</p>}
      <nav className="office-tabs" aria-label={shop.Name}>
        {tabs.map((tab) => (
          <Link
            key={tab}
            to={`?${new URLSearchParams({ id: String(shop.IdShop), ...(tab !== "day" && { tab }) })}`}
            aria-current={tab === shown ? "page" : undefined}
          >
            {t(`office.shop.tab.${tab}`)} {tab !== "day" && <small>{number(counts[tab])}</small>}
          </Link>
        ))}
      </nav>
      {shown === "day" && <Report shopId={shop.IdShop} report={report} day={day} today={clubDay()} />}
      {shown === "cases" && <Conflicts conflicts={waiting.Conflicts} next={waiting.NextCursor} />}
      {shown === "tills" && <Tills tills={tills} />}
      {shown === "tills" && keys && <Keys shopId={shop.IdShop} keys={keys} />}
      {shown === "team" && <People shopId={shop.IdShop} people={Staff} />}
      {(open === "close" || open === "reopen") && (
        <ConfirmAct
          line={open === "close" ? calls.closeShop : calls.reopenShop}
          input={{ IdShop: String(shop.IdShop) }}
          title={t(`office.shops.${open}Title`, { name: shop.Name })}
          text={t(`office.shops.${open}Text`)}
          action={t(`office.shops.${open}`)}
          onDone={() => finish(t(`office.shops.${open}Done`, { name: shop.Name }))}
          onClose={close}
        />
      )}
      {open === "pair" && <PairPanel shopId={shop.IdShop} onClose={() => finish("")} />}
      {open === "rename" && <RenamePanel shop={shop} onDone={finish} onClose={close} />}
    </>
  );
}
