import { useTexts } from "#i18n/use-texts.tsx";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { ShownOnce } from "#office/screen/controls/shown-once.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import * as calls from "#office/shops/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { keyScopes } from "#shop/keys/key-scopes.ts";
import { Field } from "#ui/form/field.tsx";

type Key = ResponseBody<typeof calls.listKeys>["Keys"][number];
type Open = { form: "add" } | { form: "rotate" | "revoke"; key: Key } | { form: "shown"; secret: string };

const usual: readonly string[] = ["identify", "sell", "return"];

/** With what a shop's tills and servers call, by names and first characters: the secrets are not stored. */
export function Keys({ shopId, keys }: { shopId: number; keys: readonly Key[] }) {
  const { t } = useTexts();
  const { dayOfYear } = useFormats();
  const { open, setOpen, close, finish, status } = useDone<Open>();
  const show = ({ Key: secret }: { Key: string }) => setOpen({ form: "shown", secret });
  return (
    <section aria-labelledby="keys">
      <div className="office-section">
        <h2 id="keys">{t("office.shops.keys")}</h2>
        <button type="button" className="button small" onClick={() => setOpen({ form: "add" })}>
          {t("office.keys.add")}
        </button>
      </div>
      {status}
      <List
        label={t("office.shops.keys")}
        rows={keys}
        columns={[
          { heading: t("office.keys.name"), value: ({ Name, Prefix }) => `${Name} ${Prefix}` },
          { heading: t("office.keys.scopes"), value: ({ Scopes }) => Scopes.join(", ") },
          {
            heading: t("office.keys.createdAt"),
            value: ({ CreatedAt }) => dayOfYear(CreatedAt),
            by: ({ CreatedAt }) => CreatedAt,
          },
          {
            heading: t("office.keys.usedAt"),
            value: ({ UsedAt }) => UsedAt && dayOfYear(UsedAt),
            by: ({ UsedAt }) => UsedAt,
          },
          { heading: t("office.team.state"), value: ({ RevokedAt }) => RevokedAt },
        ]}
        actions={t("office.actions")}
        empty={t("office.keys.none")}
        row={(key) => <KeyRow key={key.Prefix} apiKey={key} onOpen={setOpen} />}
      />
      {open?.form === "add" && <AddPanel shopId={shopId} onDone={show} onClose={close} />}
      {open?.form === "rotate" && (
        <ConfirmAct
          line={calls.rotateKey}
          input={{ Prefix: open.key.Prefix }}
          title={t("office.keys.rotateTitle", { name: open.key.Name })}
          text={t("office.keys.rotateText")}
          action={t("office.keys.rotateAction")}
          onDone={show}
          onClose={close}
        />
      )}
      {open?.form === "revoke" && (
        <ConfirmAct
          line={calls.revokeKey}
          input={{ Prefix: open.key.Prefix }}
          title={t("office.keys.revokeTitle", { name: open.key.Name })}
          text={t("office.keys.revokeText")}
          action={t("office.keys.revokeAction")}
          onDone={() => finish(t("office.keys.revokeDone", { name: open.key.Name }))}
          onClose={close}
        />
      )}
      {open?.form === "shown" && (
        <ShownOnce
          title={t("office.keys.shownTitle")}
          note={t("office.keys.shownText")}
          secret={open.secret}
          onClose={() => finish("")}
        />
      )}
    </section>
  );
}

function KeyRow({ apiKey: key, onOpen }: { apiKey: Key; onOpen: (open: Open) => void }) {
  const { t } = useTexts();
  const { dayOfYear, moment } = useFormats();
  const ended = key.RevokedAt !== null || (key.EndsAt !== null && new Date(key.EndsAt) <= new Date());
  const state = () => {
    if (key.RevokedAt) return <Label>{t("office.keys.revoked", { date: dayOfYear(key.RevokedAt) })}</Label>;
    if (key.EndsAt && ended) return <Label>{t("office.keys.ended", { date: dayOfYear(key.EndsAt) })}</Label>;
    if (key.EndsAt) return <Label tone="gold">{t("office.keys.ends", { date: dayOfYear(key.EndsAt) })}</Label>;
    return <Label tone="good">{t("office.keys.valid")}</Label>;
  };
  return (
    <tr className={ended ? "past" : undefined}>
      <td>
        {key.Name}
        <br />
        <span className="note">cercle_{key.Prefix}_…</span>
      </td>
      <td className="wrap">
        {key.Scopes.map((scope) => t(`office.scope.${scope as (typeof keyScopes)[number]}`)).join(", ")}
      </td>
      <td className="line">{dayOfYear(key.CreatedAt)}</td>
      <td>{key.UsedAt ? moment(key.UsedAt) : t("office.never")}</td>
      <td>{state()}</td>
      <td className="buttons">
        {!ended && (
          <span className="row">
            {!key.EndsAt && (
              <RowAction
                label={t("office.keys.rotate")}
                of={key.Name}
                onClick={() => onOpen({ form: "rotate", key })}
              />
            )}
            <RowAction label={t("office.revoke")} of={key.Name} bad onClick={() => onOpen({ form: "revoke", key })} />
          </span>
        )}
      </td>
    </tr>
  );
}

function AddPanel({
  shopId,
  onDone,
  onClose,
}: {
  shopId: number;
  onDone: (made: { Key: string }) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.addKey);
  const add = async (form: FormData) => {
    // A field without a value is left out, and would mean the usual scopes: a space is refused.
    const Scopes = form.getAll("Scope").join(",") || " ";
    const made = await act({ IdShop: String(shopId), Name: String(form.get("Name")), Scopes });
    if (made) onDone(made);
  };
  return (
    <Panel title={t("office.keys.add")} note={t("office.keys.addText")} onClose={onClose}>
      <PanelForm action={t("office.keys.addAction")} busy={busy} failure={failure} onSubmit={add} onClose={onClose}>
        <Field
          name="Name"
          label={t("office.keys.name")}
          hint={t("office.keys.nameHint")}
          autoComplete="off"
          maxLength={40}
        />
        <fieldset className="office-checks">
          <legend className="note">{t("office.keys.scopes")}</legend>
          {keyScopes.map((scope) => (
            <label key={scope} className="office-check">
              <input type="checkbox" name="Scope" value={scope} defaultChecked={usual.includes(scope)} />
              {t(`office.scope.${scope}`)}
            </label>
          ))}
          {failure?.fields["Scopes"] && <p className="message">{failure.fields["Scopes"]}</p>}
        </fieldset>
      </PanelForm>
    </Panel>
  );
}
