import { Link, type LoaderFunctionArgs, redirect, useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Label } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { PageHead } from "#office/screen/page.tsx";
import * as calls from "#office/shops/calls.ts";
import { readSession } from "#office/sign-in/calls.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";
import { Select } from "#ui/form/select.tsx";
import { Conflicts } from "./conflicts.tsx";

/** A person who works in one shop begins there. */
export async function loadShops({ request }: LoaderFunctionArgs) {
  const Cursor = new URL(request.url).searchParams.get("cursor");
  const [{ IdShop }, { Shops }, waiting] = await Promise.all([
    browserCall(readSession),
    browserCall(calls.listShops),
    browserCall(calls.listConflicts, { ...(Cursor && { Cursor }) }),
  ]);
  if (IdShop !== null) throw redirect(`/shop?id=${IdShop}`);
  return { Shops, ...waiting };
}

/** Every shop, and what waits for a decision in any of them. */
export function Shops() {
  const { t } = useTexts();
  const { Shops, Conflicts: waiting, NextCursor } = useLoaderData<typeof loadShops>();
  const { open, setOpen, close, finish, status } = useDone<"add">();
  return (
    <>
      <PageHead title={t("office.menu.shops")} note={t("office.shops.note")}>
        <button type="button" className="button solid" onClick={() => setOpen("add")}>
          {t("office.shops.add")}
        </button>
      </PageHead>
      {status}
      <List
        label={t("office.menu.shops")}
        rows={Shops}
        columns={[
          { heading: t("office.shops.name"), value: ({ Name, City }) => `${Name} ${City}` },
          { heading: t("office.shops.kind"), value: ({ Kind }) => t(`office.shopKind.${Kind}`) },
          {
            heading: t("office.shops.tills"),
            number: true,
            value: ({ Tills }) => Tills,
            total: (rows) => rows.reduce((sum, { Tills }) => sum + Tills, 0),
          },
          {
            heading: t("office.shops.keys"),
            number: true,
            value: ({ Keys }) => Keys,
            total: (rows) => rows.reduce((sum, { Keys }) => sum + Keys, 0),
          },
          { heading: t("office.conflict.title"), value: ({ Conflicts }) => Conflicts },
        ]}
        empty={t("office.shops.none")}
        csvName="shops.csv"
        row={(shop) => (
          <tr key={shop.IdShop}>
            <td>
              <Link to={`/shop?id=${shop.IdShop}`}>{shop.Name}</Link>{" "}
              {shop.ClosedAt && <Label>{t("office.shops.closed")}</Label>}
              <br />
              <span className="note">{t("office.shop.where", { city: shop.City, id: shop.IdShop })}</span>
            </td>
            <td>{t(`office.shopKind.${shop.Kind}`)}</td>
            <td className="number">{shop.Tills}</td>
            <td className="number">{shop.Keys}</td>
            <td>
              {shop.Conflicts > 0 && <Label tone="gold">{t("office.shops.waiting", { count: shop.Conflicts })}</Label>}
            </td>
          </tr>
        )}
      />
      <Conflicts conflicts={waiting} next={NextCursor} ofAllShops />
      {open && <AddPanel onDone={finish} onClose={close} />}
    </>
  );
}

function AddPanel({ onDone, onClose }: { onDone: (words: string) => void; onClose: () => void }) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.addShop);
  const add = async (form: FormData) => {
    if (await act(form)) onDone(t("office.shops.addDone", { name: String(form.get("Name")) }));
  };
  return (
    <Panel title={t("office.shops.add")} onClose={onClose}>
      <PanelForm action={t("office.shops.addAction")} busy={busy} failure={failure} onSubmit={add} onClose={onClose}>
        <Field name="Name" label={t("office.shops.name")} autoComplete="off" />
        <Field name="City" label={t("office.shops.city")} autoComplete="off" />
        <Select
          name="Kind"
          label={t("office.shops.kind")}
          options={[
            ["boutique", t("office.shopKind.boutique")],
            ["web", t("office.shopKind.web")],
          ]}
        />
      </PanelForm>
    </Panel>
  );
}
