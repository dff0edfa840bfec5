import { useTexts } from "#i18n/use-texts.tsx";
import type { Refused } from "#platform/api/client/form.ts";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";

/** Reminds the customer to confirm the address, or says that the link was sent again; a guest's link sets a password too. */
export function ConfirmNotice(props: { guest: boolean; refused: Refused | undefined; sent: boolean }) {
  const { guest, refused, sent } = props;
  const { t } = useTexts();
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 bg-linen p-5">
      {!sent && <p className="max-w-[34rem]">{t(guest ? "account.guest" : "account.unverified")}</p>}
      <Done text={sent && "account.resent"} />
      <PageForm intent="resend" refused={refused} className="">
        <Submit className="button small">{t(guest ? "account.guestSend" : "account.resend")}</Submit>
      </PageForm>
    </div>
  );
}
