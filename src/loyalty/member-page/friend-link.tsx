import { useEffect, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { Section } from "#ui/section.tsx";

/** The member's link for friends: a plain link, and with script a button that shares or copies it. */
export function FriendLink({ referral }: { referral: NonNullable<LoyaltyCustomer["Referral"]> }) {
  const { t, number, money } = useTexts();
  const { Url, Points, Days, PerYear, Minimum } = referral;
  const minimum = money(Minimum.Amount);
  const terms = { points: Points, formatted: number(Points), days: Days, count: PerYear, minimum };
  return (
    <Section id="friend" title={t("member.referral")} text={t("member.referralText", terms)}>
      <p className="text-sm text-soft">{t("member.referralLink")}</p>
      <div className="mt-1 flex flex-wrap items-center gap-x-6 gap-y-3">
        <a className="inline-flex min-h-11 min-w-0 items-center" href={Url}>
          <span className="underlined break-all">{Url}</span>
        </a>
        <ShareButton url={Url} />
      </div>
      <p className="mt-4 text-sm text-soft">{t("member.referralQuiet")}</p>
    </Section>
  );
}

const buttonTexts = {
  share: "member.referralShare",
  copy: "member.referralCopy",
  copied: "member.referralCopied",
} as const;

/** Its place is there before its script, so that nothing moves; hidden where the browser can do neither. */
function ShareButton({ url }: { url: string }) {
  const { t } = useTexts();
  const [offer, setOffer] = useState<keyof typeof buttonTexts>();
  useEffect(() => {
    // Over plain http there is neither.
    if (navigator.share !== undefined) setOffer("share");
    else if (navigator.clipboard !== undefined) setOffer("copy");
  }, []);
  async function press() {
    try {
      if (offer === "share") return await navigator.share({ url });
      await navigator.clipboard.writeText(url);
      setOffer("copied");
    } catch {
      // The customer closed the browser's window, or the browser refused: the link is there to be copied by hand.
    }
  }
  return (
    <button
      type="button"
      className={`button small [@media(scripting:none)]:hidden print:hidden ${offer ? "" : "invisible"}`}
      onClick={press}
    >
      <span role="status">{t(buttonTexts[offer ?? "copy"])}</span>
    </button>
  );
}
