import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { dayInParis } from "#i18n/paris-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
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
  const { Role } = await browserCall(readSession);
  const [shop, report, waiting, keys] = await Promise.all([
    browserCall(calls.readShop, { IdShop }),
    browserCall(calls.readReport, { IdShop, Day: params.get("day") ?? dayInParis() }),
    browserCall(calls.listConflicts, { IdShop, ...(Cursor && { Cursor }) }),
    Role === "owner" ? browserCall(calls.listKeys, { IdShop }) : undefined,
  ]);
  return { ...shop, report, waiting, Keys: keys?.Keys };
}

/** One shop: what waits for a decision, the day, its tills, people and keys. */
export function Shop() {
  const { t } = useTexts();
  const { Shop: shop, Tills: tills, Staff, Keys: keys, report, waiting } = useLoaderData<typeof loadShop>();
  const { open, setOpen, close, finish, status } = useDone<"pair" | "rename">();
  const { Role } = useSession();
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
        <button type="button" className="button solid" onClick={() => setOpen("pair")}>
          {t("office.tills.pair")}
        </button>
      </PageHead>
      {status}
      <Conflicts conflicts={waiting.Conflicts} next={waiting.NextCursor} />
      <Report shopId={shop.IdShop} report={report} today={dayInParis()} />
      <Tills tills={tills} />
      <People shopId={shop.IdShop} people={Staff} />
      {keys && <Keys shopId={shop.IdShop} keys={keys} />}
      {open === "pair" && <PairPanel shopId={shop.IdShop} onClose={() => finish("")} />}
      {open === "rename" && <RenamePanel shop={shop} onDone={finish} onClose={close} />}
    </>
  );
}
