import type { ReactNode } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Failure } from "#till/screen/failure.ts";
import { TillIcon, type TillIconName } from "#till/screen/layout/till-icon.tsx";
import type { ReturnedSale } from "#till/screen/return/returned.tsx";
import type { UndoneReturn } from "#till/screen/return/undone-return.tsx";
import type { Member } from "#till/screen/sale/use-sale.ts";
import type { DayTotals } from "./count-day.tsx";
import { Day, type LastDay } from "./day.tsx";
import { SearchField } from "./search-field.tsx";

/** Waiting for a customer: one field that finds everything, the day so far, three tiles. */
export function ReadyView(props: {
  online: boolean;
  lastDay: LastDay;
  onEnter: (text: string) => void;
  onCamera: () => void;
  onFailure: (error: unknown) => Failure;
  onMember: (member: Member) => void;
  onNotice: (notice: string) => void;
  onJoin: () => void;
  onReturn: (receiptNumber?: string) => void;
  onCorrect: (receiptNumber: string) => void;
  onUndone: (answer: ReturnedSale | UndoneReturn, member: boolean) => void;
  onWithout: () => void;
  onCount: (day: DayTotals) => void;
  onQueue: () => void;
  onSendNow: () => void;
}) {
  const { t } = useTexts();
  return (
    <main className="till-ready">
      <h1 className="till-hidden">{t("till.ready")}</h1>
      <SearchField {...props} />
      <Day {...props} />
      <ul className="till-tiles">
        <Tile icon="newMember" title={t("till.newMember")} onPress={props.onJoin}>
          {t("till.tile.join")}
        </Tile>
        <Tile icon="back" title={t("till.return.title")} onPress={() => props.onReturn()}>
          {t("till.tile.return")}
        </Tile>
        <Tile icon="noCard" title={t("till.without")} onPress={props.onWithout}>
          {t("till.tile.without")}
        </Tile>
      </ul>
    </main>
  );
}

function Tile(props: { icon: TillIconName; title: string; onPress: () => void; children: ReactNode }) {
  return (
    <li>
      <button type="button" onClick={props.onPress}>
        <TillIcon name={props.icon} />
        <span>
          <strong>{props.title}</strong> <small>{props.children}</small>
        </span>
      </button>
    </li>
  );
}
