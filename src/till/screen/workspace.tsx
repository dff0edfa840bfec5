import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { readProgramme } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client.ts";
import * as calls from "#till/calls.ts";
import { useSaleQueue } from "#till/queue/sale-queue.ts";
import { codeKind } from "#till/scan/code-kind.ts";
import { listenForScans } from "#till/scan/scanner.ts";
import { Bar } from "./bar.tsx";
import { ChooseMember } from "./choose-member.tsx";
import { type DoneSale, DoneView } from "./done.tsx";
import { type Failure, failureText } from "./failure.ts";
import { JoinView } from "./join.tsx";
import { QueueView } from "./queue-view.tsx";
import { ReadyView } from "./ready.tsx";
import { type Refused, RefusedView } from "./refused.tsx";
import { type ReceiptName, ReturnView } from "./return.tsx";
import { SaleView } from "./sale.tsx";
import { signal } from "./signals.ts";
import type { TillState } from "./till-state.ts";
import { typeAnywhere } from "./type-anywhere.ts";
import { useRecord } from "./use-record.ts";
import { type Member, useSale } from "./use-sale.ts";

const Camera = lazy(async () => ({ default: (await import("#till/scan/camera.tsx")).Camera }));

export type Programme = ResponseBody<typeof readProgramme>;

type View =
  | { name: "ready" | "sale" | "join" | "queue" | "kept" }
  | { name: "choose"; members: Member[] }
  | { name: "return"; receipt: ReceiptName | undefined }
  | { name: "done"; done: DoneSale }
  | { name: "refused"; refused: Refused };

/** What somebody who is signed in works with: one field that always listens, and the sale in hand. */
export function Workspace(props: {
  state: TillState;
  online: boolean;
  active: boolean;
  onFailure: (error: unknown) => Failure;
  onOnline: () => void;
  onLock: () => void;
  onSaleInHand: (inHand: boolean) => void;
  onUnpair: () => void;
}) {
  const { online, active, onFailure } = props;
  const { t } = useTexts();
  const [view, setView] = useState<View>({ name: "ready" });
  const [notice, setNotice] = useState<string>();
  const [camera, setCamera] = useState(false);
  const queue = useSaleQueue();
  const inHand = useSale(onFailure, online && active);
  const { sale, change, take, clear } = inHand;
  const selling = view.name === "sale" || view.name === "refused";
  /** Also while something else is looked at: what waits, a return. */
  const saleInHand = sale.customer !== undefined || sale.lines.length > 0;
  const programme = useProgramme(online, selling);
  const { onSaleInHand } = props;
  useEffect(() => onSaleInHand(selling || saleInHand), [selling, saleInHand, onSaleInHand]);

  const refuse = useCallback((refused: Refused) => {
    signal("refused");
    setView({ name: "refused", refused });
  }, []);

  /** A fresh start: nothing of the last sale stays. */
  const begin = useCallback(
    (next: View = { name: "ready" }, { keepHolds = false } = {}) => {
      clear({ keepHolds });
      setNotice(undefined);
      setView(next);
    },
    [clear],
  );

  /** Back to the sale in hand, if there is one. */
  const resume = () => (saleInHand ? goTo({ name: "sale" }) : begin());

  /** A look at something else; the sale in hand stays. */
  function goTo(next: View) {
    setNotice(undefined);
    setView(next);
  }

  async function takeVoucher(code: string) {
    if (!online) return setNotice(t("till.needsNetwork"));
    try {
      await take(code);
      setNotice(undefined);
    } catch (error) {
      const failure = onFailure(error);
      if (failure.code === "pin_required") return;
      if (failure.offline) setNotice(t("till.needsNetwork"));
      else refuse({ kind: "voucher", code, failure });
    }
  }

  async function find(named: Parameters<typeof search>[0], scanned: boolean, voucher?: string) {
    const cardNumber = named.CardNumber;
    const goOn = (member: Member | undefined) => {
      // Somebody else's vouchers are given back.
      if (sale.customer) void inHand.giveBack(Object.keys(sale.holds));
      if (!selling && !saleInHand) clear();
      change({ customer: { cardNumber, member, scanned, foundAt: new Date() }, scanned: voucher ? [voucher] : [] });
      goTo({ name: "sale" });
    };
    try {
      const { Customers } = await search(named, scanned);
      props.onOnline();
      const [only, ...more] = Customers;
      if (only && more.length === 0) {
        goOn(only);
        if (voucher) void takeVoucher(voucher);
      } else setView({ name: "choose", members: Customers });
    } catch (error) {
      const failure = onFailure(error);
      if (failure.offline) {
        if (cardNumber) goOn(undefined);
        else setNotice(t("till.needsNetwork"));
      } else if (failure.code === "not_found") {
        signal("refused");
        setNotice(t(cardNumber ? "till.unknownCard" : voucher ? "till.unknownVoucher" : "till.unknownPerson"));
      } else if (failure.code !== "pin_required") setNotice(failureText(failure, t));
    }
  }

  function enter(text: string, scanned: boolean) {
    if (!active) return;
    const code = codeKind(text);
    const { kind } = code;
    setCamera(false);
    if (kind === "card") void find({ CardNumber: code.value }, scanned);
    else if (kind === "email") void find({ Email: code.value }, scanned);
    else if (kind === "phone") void find({ MobilePhone: code.value }, scanned);
    else if (kind === "voucher") {
      if (sale.customer) {
        // The one that was refused is not asked for again.
        const others = sale.scanned.filter((one) => view.name !== "refused" || one !== view.refused.code);
        goTo({ name: "sale" });
        if (!sale.holds[code.value]) {
          change({ scanned: [...new Set([...others, code.value])] });
          void takeVoucher(code.value);
        }
      } else void find({ VoucherCode: code.value }, scanned, code.value);
    } else if (kind === "claim") goTo({ name: "return", receipt: { ClaimCode: code.value } });
    else if (kind === "receipt") {
      // During a sale it is the number that the cash register printed for it; else somebody brings something back.
      if (selling) change({ receiptNumber: code.value });
      else goTo({ name: "return", receipt: { ReceiptNumber: code.value } });
    } else {
      signal("refused");
      setNotice(t(kind === "invalid-card" ? "till.misread" : "till.unknownCode"));
    }
  }

  const scan = useEffectEvent((code: string) => enter(code, true));
  const isActive = useEffectEvent(() => active);
  useEffect(() => {
    // Typing first: the scanner must see the field with the focus, to give it its former value back.
    const stopTyping = typeAnywhere(() => isActive());
    const stopScans = listenForScans(scan);
    return () => {
      stopTyping();
      stopScans();
    };
  }, []);

  const record = useRecord(inHand, {
    online,
    // Offline the till stays open, so somebody is signed in.
    idStaff: props.state.SignedIn?.IdStaff ?? 0,
    onFailure,
    onDone: (done) => {
      signal("done");
      clear({ keepHolds: true });
      setView({ name: "done", done });
    },
    onKept: () => {
      signal("done");
      clear();
      setView({ name: "kept" });
    },
    onRefused: refuse,
  });

  return (
    <div className="till-work">
      <Bar
        {...props}
        waiting={queue.waiting.length}
        refused={queue.refused.length}
        notice={notice}
        onEnter={(text) => enter(text, false)}
        onCamera={() => setCamera(true)}
        onQueue={() => goTo({ name: "queue" })}
        onUnpair={props.onUnpair}
      />
      {camera && (
        <Suspense fallback={<p className="till-loading">{t("till.loading")}</p>}>
          <Camera onRead={(code) => enter(code, true)} onClose={() => setCamera(false)} />
        </Suspense>
      )}
      {/* Hidden, not gone: what was typed stays. */}
      <div className="till-view" hidden={camera}>
        {view.name === "ready" && (
          <ReadyView
            onEnter={(text) => enter(text, false)}
            onCamera={() => setCamera(true)}
            onJoin={() => begin({ name: "join" })}
            onReturn={() => goTo({ name: "return", receipt: undefined })}
            onWithout={() => begin({ name: "sale" })}
          />
        )}
        {view.name === "choose" && (
          <ChooseMember
            members={view.members}
            onChoose={(member) => {
              void inHand.giveBack(Object.keys(sale.holds));
              change({
                customer: { cardNumber: undefined, member, scanned: false, foundAt: new Date() },
                scanned: [],
              });
              goTo({ name: "sale" });
            }}
            onBack={resume}
          />
        )}
        {view.name === "sale" && (
          <SaleView
            inHand={inHand}
            programme={programme}
            online={online}
            busy={record.busy}
            onTake={takeVoucher}
            onRecord={record.record}
            onDrop={() => begin()}
            onReturn={() => goTo({ name: "return", receipt: undefined })}
          />
        )}
        {view.name === "done" && (
          <DoneView
            done={view.done}
            onFailure={onFailure}
            onReturn={() => goTo({ name: "return", receipt: { ReceiptNumber: view.done.receiptNumber } })}
            onNext={() => begin({ name: "ready" }, { keepHolds: true })}
          />
        )}
        {(view.name === "kept" || view.name === "queue") && (
          <QueueView online={online} justKept={view.name === "kept"} saleInHand={saleInHand} onNext={resume} />
        )}
        {view.name === "refused" && (
          <RefusedView
            refused={view.refused}
            inHand={inHand}
            onRetry={() => {
              setView({ name: "sale" });
              if (view.refused.kind === "voucher") void takeVoucher(view.refused.code);
              else void record.record();
            }}
            onWithout={(codes) => {
              void inHand.giveBack(codes);
              change({ scanned: sale.scanned.filter((one) => !codes.includes(one)) });
              setView({ name: "sale" });
            }}
            onKeep={view.refused.failure.fault ? record.keep : undefined}
            onBack={() => setView({ name: "sale" })}
          />
        )}
        {view.name === "return" && (
          <ReturnView
            key={JSON.stringify(view.receipt)}
            receipt={view.receipt}
            onFailure={onFailure}
            onSell={
              saleInHand
                ? undefined
                : (receiptNumber) => {
                    begin({ name: "sale" });
                    change({ receiptNumber });
                  }
            }
            onNext={resume}
          />
        )}
        {view.name === "join" && (
          <JoinView
            online={online}
            onFailure={onFailure}
            onSell={(CardNumber) => void find({ CardNumber }, false)}
            onFind={(Email) => void find({ Email }, false)}
            onBack={() => begin()}
          />
        )}
      </div>
    </div>
  );
}

function search(
  named: { CardNumber?: string; Email?: string; MobilePhone?: string; VoucherCode?: string },
  scanned: boolean,
) {
  return browserCall(calls.identify, { ...named, EntryMode: scanned ? "scanned" : "typed" });
}

/** The club's statuses and what they bring, for the panel beside the sale; read again with each sale, as it may change. */
function useProgramme(online: boolean, selling: boolean): Programme | undefined {
  const [programme, setProgramme] = useState<Programme>();
  useEffect(() => {
    if (!online || programme) return;
    // Without it the panel shows less, and the next return of the network asks again.
    browserCall(readProgramme).then(setProgramme, () => undefined);
  }, [online, programme]);
  useEffect(() => {
    if (online && selling) browserCall(readProgramme).then(setProgramme, () => undefined);
  }, [online, selling]);
  return programme;
}
