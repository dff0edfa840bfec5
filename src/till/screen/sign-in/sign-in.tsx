import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { tillPath } from "#till/paths.ts";
import { listenForScans } from "#till/scan/scanner.ts";
import { failureOf, failureText } from "#till/screen/failure.ts";
import { TillIcon } from "#till/screen/layout/till-icon.tsx";
import type { TillState } from "#till/screen/till-state.ts";
import { LanguageLinks } from "#ui/language-links.tsx";
import { checkOfflinePin, listOfflinePeople, type OfflinePerson, rememberPin } from "./offline-pins.ts";

const pinLength = 6;
/** A scanner types its next digit sooner. */
const scanPauseMs = 200;
type Person = TillState["Staff"][number];

/** Who may sign in while there is no network. */
export function useOfflinePeople(offline: boolean): OfflinePerson[] {
  const [people, setPeople] = useState<OfflinePerson[]>([]);
  useEffect(() => {
    // A browser that refuses its storage remembers no one.
    if (offline) listOfflinePeople().then(setPeople, () => setPeople([]));
  }, [offline]);
  return people;
}

/** Who works here: a name, then a PIN. The sale in hand stays underneath. */
export function SignIn(props: {
  state: TillState;
  online: boolean;
  saleInHand: boolean;
  onSignIn: (person: { IdStaff: number; Pin: string }) => Promise<void>;
  onSignedInOffline: (person: OfflinePerson, pin: string) => void;
  onRetry: () => void;
}) {
  const { state, online } = props;
  const { t } = useTexts();
  const [chosen, setChosen] = useState<Person>();
  // Chosen by a person who then saw that there is no network, or the other way round.
  const offlinePeople = useOfflinePeople(!online && !chosen);
  const people = online
    ? state.Staff
    : offlinePeople.map((one) => ({ ...one, Locked: false, PinMark: "", MayUnpair: false }));
  const person = state.Staff.find(({ IdStaff }) => IdStaff === chosen?.IdStaff) ?? chosen;
  return (
    <main className="till-entrance">
      <p className="till-brand">{t("wordmark")}</p>
      <p className="till-place">
        {state.ShopName}, {state.TillName}
      </p>
      {person ? (
        <Pin
          key={person.IdStaff}
          person={person}
          online={online}
          onSignIn={props.onSignIn}
          onSignedInOffline={props.onSignedInOffline}
          onBack={() => {
            setChosen(undefined);
            // After too many failed attempts the list shows who is locked.
            props.onRetry();
          }}
        />
      ) : (
        <>
          <h1>
            {t("till.who")} <em>{t("till.who2")}</em>
          </h1>
          {props.saleInHand && <p className="note">{t("till.kept")}</p>}
          {!online && (
            <p role="alert" className="note">
              {t(people.length > 0 ? "till.whoOfflinePin" : "till.whoOffline")}
            </p>
          )}
          {people.length > 0 ? (
            <People staff={people} onChoose={setChosen} />
          ) : online ? (
            <p className="note">{t("till.nobody")}</p>
          ) : (
            <button type="button" className="button solid" onClick={props.onRetry}>
              {t("till.retry")}
            </button>
          )}
        </>
      )}
      <LanguageLinks label={t("till.language")} path={tillPath} />
    </main>
  );
}

function People({ staff, onChoose }: { staff: Person[]; onChoose: (person: Person) => void }) {
  const { t } = useTexts();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector<HTMLButtonElement>("button:enabled")?.focus(), []);
  // The Enter of a scan must not press the name that has the focus.
  useLayoutEffect(() => listenForScans(() => {}), []);
  return (
    <ul ref={list} className="till-people">
      {staff.map((one) => (
        <li key={one.IdStaff}>
          <button type="button" disabled={one.Locked} onClick={() => onChoose(one)}>
            <span>{one.Name}</span>
            {one.Locked ? <small>{t("till.personLocked")}</small> : <TillIcon name="arrow" />}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Pin(props: {
  person: Person;
  online: boolean;
  onSignIn: (person: { IdStaff: number; Pin: string }) => Promise<void>;
  onSignedInOffline: (person: OfflinePerson, pin: string) => void;
  onBack: () => void;
}) {
  const { person, onBack } = props;
  const { t } = useTexts();
  const [pin, setPin] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function send(whole: string) {
    setBusy(true);
    const refused = await (props.online ? signIn(whole) : signInOffline(whole));
    if (!refused) return;
    setError(refused);
    setPin("");
    setBusy(false);
  }

  /** Why not; undefined when it is done. */
  async function signIn(whole: string): Promise<string | undefined> {
    try {
      await props.onSignIn({ IdStaff: person.IdStaff, Pin: whole });
    } catch (thrown) {
      const failure = failureOf(thrown);
      return failure.offline ? signInOffline(whole) : failureText(failure, t);
    }
    // No secure connection, or no storage: this person needs the network, as before.
    void rememberPin(person, whole).catch(() => {});
    return undefined;
  }

  async function signInOffline(whole: string): Promise<string | undefined> {
    // Where the browser refuses its storage, no one is remembered.
    const outcome = await checkOfflinePin(person.IdStaff, whole).catch(() => "used_up" as const);
    if (outcome === "right") props.onSignedInOffline(person, whole);
    if (outcome === "wrong") return t("till.pinWrong");
    if (outcome === "last_try") return t("till.pinLastTry");
    return outcome === "used_up" ? t("till.pinNeedsNetwork") : undefined;
  }

  function press(digit: string) {
    if (busy) return;
    setError(undefined);
    setPin(pin + digit);
  }
  const erase = () => !busy && setPin(pin.slice(0, -1));

  const complete = useEffectEvent(send);
  useEffect(() => {
    if (pin.length < pinLength) return;
    // More digits than a PIN has: a person scans a card, which must not count as a wrong PIN.
    const timer = setTimeout(() => (pin.length > pinLength ? setPin("") : complete(pin)), scanPauseMs);
    return () => clearTimeout(timer);
  }, [pin]);

  const typed = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // On a French keyboard the digits are shifted.
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? (/^\d$/.test(event.key) ? event.key : undefined);
    if (digit) press(digit);
    else if (event.key === "Backspace") erase();
    else if (event.key === "Escape") onBack();
    else return;
    event.preventDefault();
  });
  // Before the screen is painted: anyone who sees it may type.
  useLayoutEffect(() => {
    addEventListener("keydown", typed);
    return () => removeEventListener("keydown", typed);
  }, []);

  return (
    <div className="till-pin">
      <h1>{person.Name}</h1>
      <p className="note" id="pin-hint">
        {t("till.pin")}
      </p>
      <p className="till-dots" role="img" aria-label={t("till.pinTyped", { count: Math.min(pin.length, pinLength) })}>
        {Array.from({ length: pinLength }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places of the PIN never change.
          <span key={place} data-filled={place < pin.length || undefined} />
        ))}
      </p>
      <p role="alert" className="message">
        {error}
      </p>
      <div className="till-keys">
        {["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => (
          <button key={digit} type="button" onClick={() => press(digit)}>
            {digit}
          </button>
        ))}
        <button type="button" className="till-key-word" onClick={onBack}>
          {t("till.back")}
        </button>
        <button type="button" onClick={() => press("0")}>
          0
        </button>
        <button type="button" onClick={erase} aria-label={t("till.erase")}>
          <TillIcon name="erase" />
        </button>
      </div>
    </div>
  );
}
