import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { codeKind } from "#till/scan/code-kind.ts";
import { type Failure, failureText, withTimeout } from "#till/screen/failure.ts";
import { TillIcon } from "#till/screen/layout/till-icon.tsx";
import type { Member } from "#till/screen/sale/use-sale.ts";

type Found = ResponseBody<typeof calls.searchByName>;

/** Each search is counted and logged, so it waits for the typing to pause. */
const pauseMs = 400;

/**
 * Card, voucher, receipt, address, phone: entered by Enter. A name is searched while it is typed, and a line of the list is
 * chosen by a person: Enter alone chooses nobody.
 */
export function SearchField(props: {
  online: boolean;
  onEnter: (text: string) => void;
  onCamera: () => void;
  onFailure: (error: unknown) => Failure;
  onMember: (member: Member) => void;
  onNotice: (notice: string) => void;
}) {
  const { t, number } = useTexts();
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found & { text: string }>();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { kind, value: name } = codeKind(text);
  const searching = kind === "name" && props.online;
  const shown = searching && found?.text === name ? found : undefined;

  const fail = useEffectEvent((error: unknown) => {
    const failure = props.onFailure(error);
    if (failure.code !== "pin_required")
      props.onNotice(failure.offline ? t("till.needsNetwork") : failureText(failure, t));
  });
  useEffect(() => {
    if (!searching) return;
    let stale = false;
    const search = async () => {
      try {
        const answer = await withTimeout(browserCall(calls.searchByName, { Text: name }));
        if (!stale) setFound({ ...answer, text: name });
      } catch (error) {
        if (!stale) fail(error);
      }
    };
    const timer = setTimeout(search, pauseMs);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [searching, name]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!text.trim() || searching) return;
    props.onEnter(text.trim());
    setText("");
  }

  async function enrol(CustomerToken: string) {
    try {
      const { Customers } = await withTimeout(browserCall(calls.enrol, { CustomerToken }));
      if (Customers[0]) props.onMember(Customers[0]);
    } catch (error) {
      fail(error);
    }
  }

  /** Down from the field into the list, and up again. */
  function move(event: KeyboardEvent) {
    if (event.key === "Escape") return setText("");
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const lines = [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    if (lines.length === 0) return;
    event.preventDefault();
    const place = lines.indexOf(document.activeElement as HTMLElement) + (event.key === "ArrowDown" ? 1 : -1);
    (lines[place] ?? input.current)?.focus();
  }

  const nobody = shown && shown.Members.length + shown.Others.length === 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the field and the buttons inside.
    <div className="till-search" onKeyDown={move}>
      <form className="till-ready-field" onSubmit={submit}>
        <div className="till-field">
          <TillIcon name="scan" />
          <input
            ref={input}
            id="ready"
            type="text"
            inputMode="text"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            aria-label={t("till.readyField")}
            placeholder={t("till.readyField")}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <button type="button" className="till-field-button" aria-label={t("till.camera.open")} onClick={props.onCamera}>
          <TillIcon name="camera" />
        </button>
      </form>
      <p className="note" role="status">
        {nobody
          ? t("till.search.nobody")
          : shown
            ? t("till.search.count", { count: shown.Members.length + shown.Others.length })
            : kind === "name" && !props.online
              ? t("till.needsNetwork")
              : t("till.search.hint")}
      </p>
      {shown && !nobody && (
        <div className="till-results" ref={list}>
          {shown.Members.map((member) => (
            <button key={member.CustomerToken} type="button" onClick={() => props.onMember(member)}>
              <span>
                {member.FullName}
                <small>
                  {member.Tier.Name}, {t("till.cardEnding", { digits: member.CardEnding ?? "" })}
                </small>
              </span>
              <span>{t("till.points", { count: member.Points, formatted: number(member.Points) })}</span>
              <TillIcon name="arrow" />
            </button>
          ))}
          {shown.Others.map((other) => (
            <button key={other.CustomerToken} type="button" onClick={() => enrol(other.CustomerToken)}>
              <span>
                {other.FullName}
                <small>{t("till.search.noMember")}</small>
              </span>
              <span>{t("till.search.enrol")}</span>
              <TillIcon name="newMember" />
            </button>
          ))}
          <p className="note">{t(shown.More ? "till.search.more" : "till.search.needsCard")}</p>
        </div>
      )}
    </div>
  );
}
