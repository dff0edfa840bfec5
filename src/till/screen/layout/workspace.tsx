import { lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { useSaleQueue } from "#till/queue/sale-queue.ts";
import { codeKind } from "#till/scan/code-kind.ts";
import { listenForScans } from "#till/scan/scanner.ts";
import { signal } from "#till/screen/browser/signals.ts";
import { typeAnywhere } from "#till/screen/browser/type-anywhere.ts";
import { useLatest } from "#till/screen/browser/use-latest.ts";
import { useTurns } from "#till/screen/browser/use-turns.ts";
import { ChooseMember } from "#till/screen/customer/choose-member.tsx";
import { JoinView } from "#till/screen/customer/join.tsx";
import { useLookUp } from "#till/screen/customer/use-look-up.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { QueueView } from "#till/screen/queue/queue-view.tsx";
import { CountDay } from "#till/screen/ready/count-day.tsx";
import type { DayRead } from "#till/screen/ready/day.tsx";
import { ReadyView } from "#till/screen/ready/ready.tsx";
import type { CardTaker } from "#till/screen/return/other-shop.tsx";
import { ReturnView } from "#till/screen/return/return.tsx";
import { Returned } from "#till/screen/return/returned.tsx";
import { UndoneReturnView } from "#till/screen/return/undone-return.tsx";
import { DoneView } from "#till/screen/sale/done.tsx";
import { type Refused, RefusedView } from "#till/screen/sale/refused.tsx";
import { SaleView } from "#till/screen/sale/sale.tsx";
import { useCatalogue } from "#till/screen/sale/use-catalogue.ts";
import { ofReceipt, useFormerSale } from "#till/screen/sale/use-former-sale.ts";
import { useRecord } from "#till/screen/sale/use-record.ts";
import { isInHand, useSale } from "#till/screen/sale/use-sale.ts";
import type { TillState } from "#till/screen/till-state.ts";
import { useCodes } from "#till/screen/use-codes.ts";
import { useProgramme } from "#till/screen/use-programme.ts";
import { isSelling, type View } from "#till/screen/view.ts";
import { Bar } from "./bar.tsx";

const Camera = lazy(async () => ({ default: (await import("#till/scan/camera.tsx")).Camera }));

/** What a person who is signed in works with: one field that always listens, and the sale in hand. */
export function Workspace(props: {
  state: TillState;
  online: boolean;
  active: boolean;
  onFailure: (error: unknown) => Failure;
  onOnline: () => void;
  onLock: () => void;
  onSendNow: () => void;
  onSaleInHand: (inHand: boolean) => void;
  onUnpair: () => void;
}) {
  const { online, active, onFailure } = props;
  const { t } = useTexts();
  const [notice, setNotice] = useState<string>();
  const [camera, setCamera] = useState(false);
  const queue = useSaleQueue();
  /** They wait for their own shop. */
  const elsewhere = queue.refused.filter(({ code }) => code === "another_shop").length;
  const inTurn = useTurns();
  const inHand = useSale(onFailure, online && active);
  const { sale, change, clear } = inHand;
  const [view, setView, latestView] = useLatest<View>({ name: isInHand(sale) ? "sale" : "ready" });
  // Each view begins at its top, however far down the one before was read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is why.
  useLayoutEffect(() => {
    scrollTo(0, 0);
  }, [view.name]);
  const lastDay = useRef<DayRead>(undefined);
  const selling = isSelling(view);
  const saleInHand = isInHand(sale);
  const programme = useProgramme(online, selling);
  const catalogue = useCatalogue(online);
  const { onSaleInHand } = props;
  useEffect(() => onSaleInHand(selling || saleInHand), [selling, saleInHand, onSaleInHand]);

  /** What was not accepted last. */
  const refusedCode = useRef("");

  /** A look at something else; the sale in hand stays. */
  function goTo(next: View) {
    setNotice(undefined);
    setView(() => next);
  }

  /** A fresh start: nothing of the last sale stays. */
  function begin(next: View = { name: "ready" }, { keepHolds = false } = {}) {
    clear({ keepHolds });
    refusedCode.current = "";
    goTo(next);
  }

  /** Back to the sale in hand, if there is one. */
  const resume = () => (saleInHand ? goTo({ name: "sale" }) : begin());

  function refuse(refused: Refused) {
    signal("refused");
    goTo({ name: "refused", refused });
  }

  const codes = useCodes(inHand, {
    ...{ view: latestView, online, onFailure, onOnline: props.onOnline },
    formerCodes: props.state.FormerCodes,
    ...{ onGoTo: goTo, onNotice: setNotice, onRefused: refuse },
  });
  const taking = (code: string, accept: () => Promise<boolean>) =>
    inTurn(async () => {
      const accepted = await accept();
      if (!accepted) refusedCode.current = code;
      return accepted;
    });
  const takeVoucher = (code: string) => taking(code, () => codes.takeVoucher(code));
  const retake = useEffectEvent(() => inHand.formerlyHeld.forEach(takeVoucher));
  useEffect(() => retake(), []);
  /** A return that asks for the customer's card takes it before the sale does. */
  const takeCard: CardTaker = useRef(undefined);
  function enter(text: string, scanned: boolean) {
    if (!active) return;
    setCamera(false);
    const { kind, value } = codeKind(text);
    if (scanned && kind === "card" && takeCard.current) return takeCard.current(value);
    taking(text, () => codes.enter(text, scanned));
  }

  useLookUp(inHand, { able: online && active, inTurn, onFailure, onNotice: setNotice });

  const { ringUpAgain, correct } = useFormerSale(inHand, {
    ...{ taking, begin },
    onFailure: (error) => {
      const failure = onFailure(error);
      setNotice(failure.offline ? t("till.needsNetwork") : failureText(failure, t));
    },
  });

  const scan = useEffectEvent((code: string) => enter(code, true));
  const scanBrokeOff = useEffectEvent(() => {
    if (!active) return;
    signal("refused");
    setNotice(t("till.misread"));
  });
  const isActive = useEffectEvent(() => active);
  // Before the screen is painted: anyone who sees it may scan.
  useLayoutEffect(() => {
    // Typing first: the scanner must see the field with the focus, to give it its former value back.
    const stopTyping = typeAnywhere(() => isActive());
    const stopScans = listenForScans(scan, () => scanBrokeOff());
    return () => {
      stopTyping();
      stopScans();
    };
  }, []);

  const record = useRecord(inHand, {
    online,
    // Offline the till stays open, so a person is signed in.
    idStaff: props.state.SignedIn?.IdStaff ?? 0,
    idShop: props.state.IdShop ?? undefined,
    inTurn,
    onFailure,
    onDone: (done) => {
      signal("done");
      begin({ name: "done", done }, { keepHolds: true });
    },
    onKept: () => {
      signal("done");
      begin({ name: "kept" });
    },
    onRefused: refuse,
    // Unless it is said already.
    onStopped: () => {
      if (latestView.current.name === "sale")
        setNotice((known) => known ?? t("till.checkFirst", { code: refusedCode.current }));
    },
  });

  return (
    <div className="till-work">
      <Bar
        {...props}
        waiting={queue.waiting.length + elsewhere}
        refused={queue.refused.length - elsewhere}
        // A refusal has a band of its own, which says it.
        notice={view.name === "refused" ? undefined : notice}
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
            online={online}
            lastDay={lastDay}
            onEnter={(text) => enter(text, false)}
            onCamera={() => setCamera(true)}
            onFailure={onFailure}
            onMember={(member) => taking(member.Name, async () => codes.sellTo(member, undefined, false))}
            onNotice={setNotice}
            onJoin={() => {
              const { kind, value } = codeKind(refusedCode.current);
              begin({ name: "join", email: kind === "email" ? value : undefined });
            }}
            onReturn={(number) => goTo({ name: "return", receipt: number ? { ReceiptNumber: number } : undefined })}
            onCorrect={correct}
            onCount={(day) => goTo({ name: "count", day })}
            onUndone={(answer, member) => goTo({ name: "undone", answer, member })}
            onWithout={() => begin({ name: "sale" })}
            onQueue={() => goTo({ name: "queue" })}
            onSendNow={props.onSendNow}
          />
        )}
        {view.name === "undone" &&
          ("ReissuedVouchers" in view.answer ? (
            <Returned answer={view.answer} voided member={view.member} onFailure={onFailure} onNext={resume} />
          ) : (
            <UndoneReturnView answer={view.answer} member={view.member} onNext={resume} />
          ))}
        {view.name === "count" && <CountDay day={view.day} onFailure={onFailure} onNext={resume} />}
        {view.name === "choose" && (
          <ChooseMember
            members={view.members}
            onChoose={(member) => codes.sellTo(member, undefined, false)}
            onBack={resume}
          />
        )}
        {view.name === "sale" && (
          <SaleView
            catalogue={catalogue}
            inHand={inHand}
            programme={programme}
            online={online}
            busy={record.busy}
            onFailure={onFailure}
            onTake={takeVoucher}
            onRecord={record.record}
            // What is being sent is not let go: no one would know what became of it.
            onDrop={() => record.busy || begin()}
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
          <QueueView
            online={online}
            justKept={view.name === "kept"}
            saleInHand={saleInHand ? sale : undefined}
            onSendNow={props.onSendNow}
            onAgain={ringUpAgain}
            onNext={resume}
          />
        )}
        {view.name === "refused" && (
          <RefusedView
            refused={view.refused}
            inHand={inHand}
            online={online}
            notice={notice}
            onRetry={() => {
              goTo({ name: "sale" });
              if (view.refused.kind === "voucher") takeVoucher(view.refused.code);
              else record.record();
            }}
            onWithout={(codes) => {
              void inHand.giveBack(codes);
              change({ scanned: sale.scanned.filter((one) => !codes.includes(one)) });
              goTo({ name: "sale" });
            }}
            onKeep={view.refused.failure.fault ? record.keep : undefined}
            onBack={() => goTo({ name: "sale" })}
          />
        )}
        {view.name === "return" && (
          <ReturnView
            key={JSON.stringify(view.receipt)}
            receipt={view.receipt}
            takeCard={takeCard}
            idShop={props.state.IdShop}
            card={sale.customer?.scanned ? sale.customer.cardNumber : undefined}
            onFailure={onFailure}
            onExchange={
              saleInHand
                ? undefined
                : (exchange, member) => {
                    begin({ name: "sale" });
                    change({ exchange, customer: ofReceipt(member) });
                  }
            }
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
            email={view.email}
            onFailure={onFailure}
            onSell={(CardNumber) => taking(CardNumber, () => codes.find({ CardNumber }, false))}
            onMember={(member) => taking(member.Name, async () => codes.sellTo(member, undefined, false))}
            onBack={() => begin()}
          />
        )}
      </div>
    </div>
  );
}
