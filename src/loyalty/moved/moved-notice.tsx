import { useTexts } from "#i18n/use-texts.tsx";
import type { Moved } from "#loyalty/calls.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { MissingForm } from "./missing-form.tsx";

/** At the first visits after the move: what the old club brought. The customer closes it, or says what is missing. */
export function MovedNotice({ moved, refused }: { moved: Moved; refused: Refused | undefined }) {
  const { t, number, date } = useTexts();
  const { Points, Pending, Vouchers, Tier } = moved;
  const brought = [
    Points > 0 && t("member.movedPoints", { count: Points, formatted: number(Points) }),
    Pending > 0 && t("member.movedPending", { count: Pending, formatted: number(Pending) }),
    Vouchers > 0 && t("member.movedVouchers", { count: Vouchers }),
    Tier && t("member.movedTier", { tier: Tier.Name, date: date(Tier.Until) }),
  ].filter((one) => one !== false && one !== null);
  return (
    <section aria-labelledby="moved" className="my-6 bg-linen p-5 sm:p-7 print:hidden">
      <h2 id="moved" className="text-section">
        {t("member.moved")}
      </h2>
      {brought.length > 0 && <p className="mt-3 text-2xl">{brought.join(", ")}</p>}
      <p className="mt-3">{t("member.movedText")}</p>
      <div className="mt-4 flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <MissingForm moved={moved} refused={refused} />
        <PageForm intent="closeMoved" refused={refused}>
          <Submit className="button">{t("shell.close")}</Submit>
        </PageForm>
      </div>
    </section>
  );
}
