import { useTexts } from "#i18n/use-texts.tsx";
import { TillIcon } from "#till/screen/layout/till-icon.tsx";
import type { Member } from "#till/screen/sale/use-sale.ts";

/** Several people share a phone number: the customer says who they are. */
export function ChooseMember({
  members,
  onChoose,
  onBack,
}: {
  members: Member[];
  onChoose: (member: Member) => void;
  onBack: () => void;
}) {
  const { t, number } = useTexts();
  return (
    <main className="till-page">
      <h1>{t("till.choose")}</h1>
      <ul className="till-people">
        {members.map((member) => (
          <li key={member.CustomerToken}>
            <button type="button" onClick={() => onChoose(member)}>
              <span>{member.Name}</span>
              <small>
                {member.Tier.Name}, {t("till.points", { count: member.Points, formatted: number(member.Points) })}
                <br />
                {t("till.joinedCard", {
                  month: member.JoinedMonth.split("-").reverse().join("/"),
                  digits: member.CardEnding ?? "",
                })}
                {!member.Confirmed && `, ${t("till.unconfirmed")}`}
              </small>
              <TillIcon name="arrow" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button" onClick={onBack}>
        {t("till.back")}
      </button>
    </main>
  );
}
