import type { TextId } from "#i18n/texts.ts";
import type { CustomerRecord, PanelProps } from "#office/customers/screen/customer.data.ts";
import { CardPanel } from "./card-panel.tsx";
import { CorrectPanel } from "./correct-panel.tsx";
import { EmailPanel } from "./email-panel.tsx";
import { MergePanel } from "./merge-panel.tsx";
import { NotePanel } from "./note-panel.tsx";
import { type PlainAction, PlainPanel } from "./plain-panel.tsx";
import { PointsPanel } from "./points-panel.tsx";
import { VoucherPanel } from "./voucher-panel.tsx";

export type PanelName = "points" | "note" | "correct" | "card" | "voucher" | "letter" | "merge" | PlainAction;

/** What can be done to this customer, besides adjusting points. */
export function panelsOf({ State, BlockedAt, CardNumber }: CustomerRecord): [PanelName, TextId][] {
  const all: [PanelName, TextId][] = [
    ["note", "office.addNote.title"],
    ["correct", "office.correct.title"],
    ["card", "office.card.title"],
    ["voucher", "office.give.title"],
    ["letter", "office.resend.title"],
    ["block", "office.do.block"],
    ["unblock", "office.do.unblock"],
    ["sessions", "office.do.sessions"],
    ["merge", "office.do.merge"],
    ["export", "office.do.export"],
    ["erase", "office.do.erase"],
  ];
  const hidden: PanelName[] = [BlockedAt ? "block" : "unblock"];
  if (State !== "member") hidden.push("voucher");
  if (!CardNumber) hidden.push("card");
  return all.filter(([name]) => !hidden.includes(name));
}

/** The form of the action that was chosen. */
export function ActionPanel({ name, ...props }: PanelProps & { name: PanelName }) {
  switch (name) {
    case "points":
      return <PointsPanel {...props} />;
    case "note":
      return <NotePanel {...props} />;
    case "correct":
      return <CorrectPanel {...props} />;
    case "card":
      return <CardPanel {...props} />;
    case "voucher":
      return <VoucherPanel {...props} />;
    case "letter":
      return <EmailPanel {...props} />;
    case "merge":
      return <MergePanel {...props} />;
    default:
      return <PlainPanel action={name} {...props} />;
  }
}
