import { useTexts } from "#i18n/use-texts.tsx";
import { CodeField } from "./bar.tsx";
import { TillIcon, type TillIconName } from "./till-icon.tsx";

/** Waiting for a card. */
export function ReadyView(props: {
  onEnter: (text: string) => void;
  onCamera: () => void;
  onJoin: () => void;
  onReturn: () => void;
  onWithout: () => void;
}) {
  const { t } = useTexts();
  return (
    <main className="till-ready">
      <h1>
        {t("till.ready")} <em>{t("till.ready2")}</em>
      </h1>
      <div className="till-frame" aria-hidden="true">
        <span />
      </div>
      <div className="till-ready-field">
        <CodeField id="ready" label={t("till.readyField")} onEnter={props.onEnter} />
      </div>
      <ul className="till-choices">
        <Choice icon="newMember" label={t("till.newMember")} onPress={props.onJoin} />
        <Choice icon="back" label={t("till.return.title")} onPress={props.onReturn} />
        <Choice icon="card" label={t("till.without")} onPress={props.onWithout} />
      </ul>
      <button type="button" className="button solid till-foot" onClick={props.onCamera}>
        <TillIcon name="camera" /> {t("till.camera.open")}
      </button>
    </main>
  );
}

function Choice({ icon, label, onPress }: { icon: TillIconName; label: string; onPress: () => void }) {
  return (
    <li>
      <button type="button" onClick={onPress}>
        <TillIcon name={icon} />
        <span>{label}</span>
        <TillIcon name="arrow" />
      </button>
    </li>
  );
}
