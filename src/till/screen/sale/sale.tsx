import { type FormEvent, useEffect, useRef, useState } from "react";
import { amountOf, typedCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { afterScan } from "#till/scan/scanner.ts";
import { CustomerPanel } from "#till/screen/customer/customer-panel.tsx";
import type { Failure } from "#till/screen/failure.ts";
import { TillIcon } from "#till/screen/layout/till-icon.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import type { Programme } from "#till/screen/use-programme.ts";
import { ChangePoints } from "./change-points.tsx";
import { type GoodsLine, unusualCents } from "./goods.ts";
import { LineFacts } from "./line-facts.tsx";
import type { Catalogue } from "./use-catalogue.ts";
import type { SaleInHand } from "./use-sale.ts";
import { Vouchers } from "./vouchers.tsx";

/** The sale in hand: who, how much, which vouchers, one large button. */
export function SaleView(props: {
  inHand: SaleInHand;
  programme: Programme | undefined;
  catalogue: Catalogue | undefined;
  online: boolean;
  busy: boolean;
  onFailure: (error: unknown) => Failure;
  onTake: (code: string) => void;
  onRecord: () => void;
  onDrop: () => void;
  onReturn: () => void;
}) {
  const { inHand, online, busy } = props;
  const { sale, quote, total, toPayCents } = inHand;
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const { customer } = sale;
  const discountCents = total - toPayCents;
  const { exchange, corrects } = sale;
  const payCents = toPayCents - (exchange?.creditCents ?? 0);
  const firstname = customer?.member?.Name.replace(/ \S+\.$/, "");
  /** The unusual total that a person has seen and meant. */
  const [asked, setAsked] = useState(0);
  const asking = asked > 0 && asked === total;
  const record = () => (total >= unusualCents && !asking ? setAsked(total) : props.onRecord());
  return (
    <main className="till-sale">
      <CustomerPanel {...props} />
      <section className="till-goods">
        {exchange && (
          <p className="banner">
            {t("till.exchange.credit", {
              number: exchange.receiptNumber,
              amount: exactMoney(amountOf(exchange.creditCents)),
            })}
          </p>
        )}
        {corrects && <p className="banner">{t("till.corrects", { number: corrects })}</p>}
        <Goods inHand={inHand} catalogue={props.catalogue} onRecord={record} />
        <Vouchers inHand={inHand} firstname={firstname} online={online} onTake={props.onTake}>
          <ChangePoints {...props} />
        </Vouchers>
        <div className="till-closing">
          <div className="till-sum">
            <p>
              <span>
                {payCents < 0
                  ? t("till.exchange.toGive")
                  : discountCents > 0
                    ? t("till.toPayLess", { amount: exactMoney(amountOf(discountCents)) })
                    : t("till.toPay")}
              </span>
              <strong>{exactMoney(amountOf(Math.abs(payCents)))}</strong>
            </p>
            {customer && total > 0 && (
              <p className="till-earned" aria-live="polite">
                <span>{firstname ? t("till.earns", { name: firstname }) : t("till.earnsCard")}</span>
                <strong className={quote?.Waiting ? "till-waits" : undefined}>
                  {quote
                    ? quote.Waiting
                      ? t("till.waits", {
                          count: quote.WaitingPoints ?? 0,
                          formatted: number(quote.WaitingPoints ?? 0),
                        })
                      : t("till.plusPoints", { count: quote.Points.Earned, formatted: number(quote.Points.Earned) })
                    : online
                      ? "…"
                      : t("till.later")}
                </strong>
                {quote?.Campaign && (
                  <span className="till-campaign">
                    {t("till.campaign", { points: number(quote.Campaign.Points), name: quote.Campaign.Name })}
                  </span>
                )}
              </p>
            )}
          </div>
          <p role="alert" className="message">
            {asking && t("till.unusual", { amount: exactMoney(amountOf(total)) })}
          </p>
          <button
            type="button"
            className="button solid till-record"
            disabled={sale.lines.length === 0}
            aria-disabled={busy || undefined}
            onClick={record}
          >
            {asking && !busy
              ? t("till.reallySo", { amount: exactMoney(amountOf(total)) })
              : t(busy ? "till.working" : online ? "till.record" : "till.keep")}
          </button>
        </div>
      </section>
    </main>
  );
}

/** As the style sheet shows the number pad. */
const hasPad = () => matchMedia("(pointer: coarse)").matches;

function Goods({
  inHand,
  catalogue,
  onRecord,
}: {
  inHand: SaleInHand;
  catalogue: Catalogue | undefined;
  onRecord: () => void;
}) {
  const { sale, change } = inHand;
  const { t } = useTexts();
  const exactMoney = useExactMoney();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  /** Lines above the field, after a refusal as they were; what stands in the field is a line as well, so one amount needs no further press. */
  const [entered, setEntered] = useState(sale.lines);
  const cents = typedCents(typed);
  const wrong = typed !== "" && cents === undefined;

  useEffect(() => input.current?.focus(), []);
  // On a phone each line pushes the field down, under what stays at the foot; so does a member who is found meanwhile.
  const count = entered.length;
  const named = sale.customer?.member !== undefined;
  useEffect(() => {
    const typing = document.activeElement === input.current;
    if (count > 0 || wrong || (named && typing)) input.current?.form?.scrollIntoView({ block: "nearest" });
  }, [count, wrong, named]);
  /** What was set last; nothing once the field is gone. */
  const latest = useRef<object>(undefined);
  useEffect(
    () => () => {
      latest.current = undefined;
    },
    [],
  );
  function set(lines: GoodsLine[], text: string) {
    setEntered(lines);
    setTyped(text);
    const last = typedCents(text);
    const changed = { lines: last === undefined || last === 0 ? lines : [...lines, { cents: last, earns: true }] };
    latest.current = changed;
    // The text of a scan is in the field until its Enter, and is never an amount: not even when the field is gone by then.
    void afterScan().then(() => latest.current === changed && change(changed));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (cents) set([...entered, { cents, earns: true }], "");
    // An empty field and Enter: nothing more to add.
    else if (typed === "" && entered.length > 0) onRecord();
  }

  return (
    <div className="till-ticket">
      <div className="till-ticket-head">
        <h2>{sale.receiptNumber ? t("till.ticket", { number: sale.receiptNumber }) : t("till.newSale")}</h2>
        <span>{sale.lines.length > 0 && t("till.lines", { count: sale.lines.length })}</span>
      </div>
      <ol>
        {entered.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its position.
          <li key={index}>
            <span>{t("till.line", { number: index + 1 })}</span>
            {catalogue && (
              <LineFacts
                catalogue={catalogue}
                line={line}
                number={index + 1}
                onChange={(changed) => set(entered.with(index, changed), typed)}
              />
            )}
            <label className="till-earns">
              <input
                type="checkbox"
                checked={!line.earns}
                onChange={() =>
                  set(
                    entered.map((one, place) => (place === index ? { ...one, earns: !one.earns } : one)),
                    typed,
                  )
                }
              />
              {t("till.noPoints")}
            </label>
            <span className="till-amount">{exactMoney(amountOf(line.cents))}</span>
            <button
              type="button"
              className="till-remove"
              aria-label={t("till.removeLine", { number: index + 1 })}
              onClick={() =>
                set(
                  entered.filter((_, place) => place !== index),
                  typed,
                )
              }
            >
              <TillIcon name="close" />
            </button>
          </li>
        ))}
      </ol>
      {entered.length > 1 && (
        <p className="till-total">
          <span>{t("till.total")}</span>
          <span className="till-amount">{exactMoney(amountOf(inHand.total))}</span>
        </p>
      )}
      <form onSubmit={submit} className="till-amount-form">
        <label htmlFor="amount">{t(entered.length > 0 ? "till.nextAmount" : "till.amount")}</label>
        <input
          ref={input}
          id="amount"
          type="text"
          inputMode={hasPad() ? "none" : "decimal"}
          autoComplete="off"
          enterKeyHint="enter"
          value={typed}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? "amount-error" : undefined}
          onChange={(event) => set(entered, event.target.value)}
        />
        <button type="submit" className="till-add" aria-disabled={!cents || undefined}>
          {t("till.addLine")}
        </button>
        <div className="till-pad">
          {["1", "2", "3", "erase", "4", "5", "6", ",", "7", "8", "9", "0"].map((key) => (
            <button
              key={key}
              type="button"
              aria-label={key === "erase" ? t("till.erase") : undefined}
              onClick={() => set(entered, key === "erase" ? typed.slice(0, -1) : typed + key)}
            >
              {key === "erase" ? <TillIcon name="erase" /> : key}
            </button>
          ))}
        </div>
        {wrong && (
          <p id="amount-error" role="alert" className="message">
            {t("till.amountWrong")}
          </p>
        )}
      </form>
    </div>
  );
}
