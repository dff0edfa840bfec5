import { useTexts } from "#i18n/use-texts.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { type readShop, renameShop } from "#office/shops/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Field } from "#ui/form/field.tsx";

/** Another name or city; everything else of the shop stays. */
export function RenamePanel({
  shop,
  onDone,
  onClose,
}: {
  shop: ResponseBody<typeof readShop>["Shop"];
  onDone: (words: string) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(renameShop);
  const rename = async (form: FormData) => {
    form.set("IdShop", String(shop.IdShop));
    if (await act(form)) onDone(t("office.shops.renameDone", { name: String(form.get("Name")) }));
  };
  return (
    <Panel title={t("office.shops.rename")} note={t("office.shops.renameText")} onClose={onClose}>
      <PanelForm
        action={t("office.shops.renameAction")}
        busy={busy}
        failure={failure}
        onSubmit={rename}
        onClose={onClose}
      >
        <Field name="Name" label={t("office.shops.name")} autoComplete="off" maxLength={80} initial={shop.Name} />
        <Field name="City" label={t("office.shops.city")} autoComplete="off" maxLength={80} initial={shop.City} />
      </PanelForm>
    </Panel>
  );
}
