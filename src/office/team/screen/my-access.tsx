import { useState } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { makePasskey, supportsPasskeys } from "#identity/passkeys/browser-passkey.ts";
import { FormError, RowAction } from "#office/screen/controls/controls.tsx";
import { useAct, useWithProof } from "#office/screen/controls/use-act.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { type Failure, failureOf } from "#office/screen/failure.ts";
import { PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import * as calls from "#office/sign-in/calls.ts";
import { companyAccount } from "#office/sign-in/screen/company-link.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import { Empty } from "#ui/empty.tsx";
import { Table } from "#ui/table.tsx";

export const loadMyAccess = () => browserCall(calls.listPasskeys);

/** One's own ways into the back office. */
export function MyAccess() {
  const { t } = useTexts();
  const { dayOfYear } = useFormats();
  const { Email, Firstname, Lastname, Role } = useSession();
  const { Passkeys, CompanyLinked } = useLoaderData<typeof loadMyAccess>();
  const { revalidate } = useRevalidator();
  const { act: remove, busy: removing, failure: notRemoved } = useAct(calls.removePasskey);
  const { add, adding, notAdded } = useAddPasskey(() => void revalidate());
  return (
    <>
      <PageHead title={`${Firstname} ${Lastname}`} note={`${Email} · ${t(`office.role.${Role}`)}`}>
        {supportsPasskeys() && (
          <button type="button" className="button solid" disabled={adding} onClick={add}>
            {t("office.me.add")}
          </button>
        )}
      </PageHead>
      <FormError failure={notAdded ?? notRemoved} />
      <section>
        <h2>{t("office.me.passkeys")}</h2>
        {Passkeys.length === 0 ? (
          <Empty>{t("office.me.none")}</Empty>
        ) : (
          <Table
            label={t("office.me.passkeys")}
            headings={[t("office.me.device"), t("office.me.added"), t("office.me.used")]}
            actions={t("office.actions")}
          >
            {Passkeys.map(({ IdPasskey, Name, CreatedAt, UsedAt }) => (
              <tr key={IdPasskey}>
                <td>{Name}</td>
                <td>{dayOfYear(CreatedAt)}</td>
                <td>{UsedAt ? dayOfYear(UsedAt) : "–"}</td>
                <td className="buttons">
                  <RowAction
                    label={t("office.remove")}
                    of={Name}
                    disabled={removing}
                    onClick={async () => (await remove({ IdPasskey })) && revalidate()}
                  />
                </td>
              </tr>
            ))}
          </Table>
        )}
        <p className="note">{t("office.me.note")}</p>
      </section>
      {companyAccount() && <CompanyAccount linked={CompanyLinked} />}
    </>
  );
}

/** Links the account of the company, after a proof here; the browser goes on to the company's provider. */
function CompanyAccount({ linked }: { linked: boolean }) {
  const { t } = useTexts();
  const withProof = useWithProof();
  const [failure, setFailure] = useState<Failure>();
  const link = async () => {
    try {
      const { Url } = await withProof(() => browserCall(calls.companyLink));
      location.assign(Url);
    } catch (error) {
      const failed = failureOf(error);
      setFailure({ ...failed, detail: failed.detail ?? t("office.network") });
    }
  };
  return (
    <section>
      <h2>{t("office.company.title")}</h2>
      <FormError failure={failure} />
      <p className="note">{t(linked ? "office.company.linked" : "office.company.notLinked")}</p>
      {!linked && (
        <button type="button" className="button" onClick={link}>
          {t("office.company.link")}
        </button>
      )}
    </section>
  );
}

/** Makes a passkey on this device; the server asks for a fresh proof first. */
function useAddPasskey(onAdded: () => void) {
  const { t } = useTexts();
  const withProof = useWithProof();
  const [adding, setAdding] = useState(false);
  const [notAdded, setNotAdded] = useState<Failure>();
  const add = async () => {
    setAdding(true);
    setNotAdded(undefined);
    try {
      const options = await withProof(() => browserCall(calls.newPasskeyOptions));
      await browserCall(calls.addPasskey, { Response: await makePasskey(options) });
      onAdded();
    } catch (error) {
      const detail = error instanceof DOMException ? t("office.passkey.cancelled") : t("office.network");
      const failure = failureOf(error);
      setNotAdded({ ...failure, detail: failure.detail ?? detail });
    } finally {
      setAdding(false);
    }
  };
  return { add, adding, notAdded };
}
