import { lazyPart } from "#ui/lazy.tsx";
import type { ClubProps } from "./club-props.ts";
import { HistoryList } from "./history-list.tsx";
import { ReceiptForm } from "./receipt-form.tsx";

/** For the few whose club has moved here. */
const MovedHistory = lazyPart(async () => (await import("#loyalty/moved/moved-history.tsx")).MovedHistory, {
  texts: ["links"],
  when: "shown",
});

export function HistoryTab({ club, claimed, refused }: ClubProps) {
  return (
    <div className="mt-10 space-y-12">
      <HistoryList history={club.history} />
      {club.moved && (
        <MovedHistory moved={club.moved} page={club.movedPage} pages={club.movedPages} refused={refused} />
      )}
      <div className="print:hidden">
        <ReceiptForm code={club.receipt} claimed={claimed} refused={refused} />
      </div>
    </div>
  );
}
