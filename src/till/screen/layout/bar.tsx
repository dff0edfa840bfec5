import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { setSound, soundOn } from "#till/screen/browser/signals.ts";
import { clock, useNow } from "#till/screen/browser/use-now.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import type { TillState } from "#till/screen/till-state.ts";
import { Field } from "#ui/form/field.tsx";
import { bySubmit, Form } from "#ui/form/form.tsx";
import { Select } from "#ui/form/select.tsx";
import { TillIcon } from "./till-icon.tsx";

export function Bar(props: {
  state: TillState;
  online: boolean;
  waiting: number;
  refused: number;
  notice: string | undefined;
  onEnter: (text: string) => void;
  onCamera: () => void;
  onQueue: () => void;
  onLock: () => void;
  onUnpair: () => void;
  onFailure: (error: unknown) => Failure;
}) {
  const { state, online, waiting, refused, notice } = props;
  const { t } = useTexts();
  const now = useNow();
  const menu = useRef<HTMLDialogElement>(null);
  const told = useRef<HTMLParagraphElement>(null);
  // On a phone the bar scrolls away during a sale.
  useEffect(() => {
    if (notice) told.current?.scrollIntoView({ block: "nearest" });
  }, [notice]);
  return (
    <header className="till-bar">
      <p className="till-brand">{t("wordmark")}</p>
      <p className="till-place">
        <span className="till-city">{state.ShopCity},</span> <span>{state.TillName}</span>
      </p>
      <div className="till-listening">
        <CodeField id="listening" label={t("till.field")} onEnter={props.onEnter} />
        <button type="button" className="till-field-button" aria-label={t("till.camera.open")} onClick={props.onCamera}>
          <TillIcon name="camera" />
        </button>
      </div>
      <div className="till-status">
        {waiting > 0 && (
          <button type="button" className="till-link till-count" onClick={props.onQueue}>
            <b>{waiting}</b> <span className="till-count-word">{t("till.waiting")}</span>
          </button>
        )}
        {refused > 0 && (
          <button type="button" className="till-link till-count" data-refused onClick={props.onQueue}>
            <b>{refused}</b> <span className="till-count-word">{t("till.refusedCount")}</span>
          </button>
        )}
        <p role="status" className="till-online" data-online={online || undefined}>
          {online ? <span className="till-dot" aria-hidden="true" /> : <TillIcon name="offline" />}
          {t(online ? "till.online" : "till.offline")}
        </p>
        <button type="button" className="till-link" onClick={() => menu.current?.showModal()}>
          <span className="till-wide">{state.SignedIn?.Name}</span>
          <span className="till-initials" aria-hidden="true">
            {state.SignedIn?.Name.replace(/[^\p{Lu}]/gu, "")}
          </span>
        </button>
        <time className="till-clock">{clock(now)}</time>
      </div>
      <p ref={told} role="alert" className="till-notice" hidden={!notice}>
        {notice}
      </p>
      <Menu menu={menu} {...props} />
    </header>
  );
}

/** Typing works too: a card, a voucher, a receipt, an address, a phone. Its caret shows that the till listens. */
export function CodeField({ id, label, onEnter }: { id: string; label: string; onEnter: (text: string) => void }) {
  const [text, setText] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!text.trim()) return;
    onEnter(text.trim());
    setText("");
  }
  return (
    <form className="till-field" onSubmit={submit}>
      <TillIcon name="scan" />
      <input
        id={id}
        type="text"
        inputMode="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}

function Menu({
  menu,
  state,
  onLock,
  onUnpair,
  onFailure,
}: {
  menu: React.RefObject<HTMLDialogElement | null>;
  state: TillState;
  onLock: () => void;
  onUnpair: () => void;
  onFailure: (error: unknown) => Failure;
}) {
  const { t } = useTexts();
  const [sound, changeSound] = useState(soundOn);
  const [sure, setSure] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => setSound(sound), [sound]);
  const deciders = state.Staff.filter(({ MayUnpair }) => MayUnpair);

  async function unpair(form: FormData) {
    setError(undefined);
    try {
      await browserCall(calls.unpair, form);
      menu.current?.close();
      onUnpair();
    } catch (thrown) {
      setError(failureText(onFailure(thrown), t));
    }
  }

  return (
    <dialog
      ref={menu}
      className="sheet till-menu"
      aria-label={state.SignedIn?.Name ?? ""}
      onClose={() => {
        setSure(false);
        setError(undefined);
      }}
    >
      <p className="till-menu-name">{state.SignedIn?.Name}</p>
      <p className="till-place">
        {state.ShopName}, {state.ShopCity}, {state.TillName}
      </p>
      <button
        type="button"
        className="button solid"
        onClick={() => {
          menu.current?.close();
          onLock();
        }}
      >
        {t("till.lock")}
      </button>
      <label className="till-check">
        <input type="checkbox" checked={sound} onChange={(event) => changeSound(event.target.checked)} />
        {t("till.sound")}
      </label>
      {!sure ? (
        <button type="button" className="till-link" onClick={() => setSure(true)}>
          {t("till.unpair")}
        </button>
      ) : deciders.length === 0 ? (
        <p className="note">{t("till.unpairNobody")}</p>
      ) : (
        <Form className="till-form" autoComplete="off" failure={undefined} busy={false} onSubmit={bySubmit(unpair)}>
          <p>{t("till.unpairText")}</p>
          <Select
            name="IdStaff"
            label={t("till.unpairWho")}
            options={deciders.map(({ IdStaff, Name }) => [String(IdStaff), Name] as const)}
          />
          <Field name="Pin" label={t("till.pin")} type="password" inputMode="numeric" maxLength={6} />
          <button type="submit" className="button">
            {t("till.unpairSure")}
          </button>
        </Form>
      )}
      <p role="alert" className="message">
        {error}
      </p>
      <button type="button" className="button" onClick={() => menu.current?.close()}>
        {t("till.close")}
      </button>
    </dialog>
  );
}
