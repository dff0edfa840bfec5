import { type ReactNode, useEffect, useRef } from "react";
import { Link, useRevalidator, useRouteError } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Entrance } from "#office/sign-in/screen/entrance.tsx";
import { SignIn } from "#office/sign-in/screen/sign-in.tsx";
import { type Failure, failureOf } from "./failure.ts";
import { NotFound } from "./not-found.tsx";

/** What stands in the place of a page that could not be read. */
export function Failed() {
  const { t } = useTexts();
  const failure = failureOf(useRouteError());
  const { revalidate } = useRevalidator();
  if (failure.code === "not_signed_in") return <SignIn onDone={revalidate} />;
  // An address that names nothing: what was typed into it will not get better by trying again.
  if (failure.code === "not_found" || failure.code === "invalid") return <NotFound />;
  if (failure.code !== "forbidden") return <TryAgain failure={failure} />;
  return (
    <Said failure={failure}>
      <Link className="office-link" to="/">
        {t("office.notFound.back")}
      </Link>
    </Said>
  );
}

/** The same before there is a menu: the sign-in, or what is said in its frame. */
export function FailedEntrance() {
  const { t } = useTexts();
  const failure = failureOf(useRouteError());
  const { revalidate } = useRevalidator();
  if (failure.code === "not_signed_in") return <SignIn onDone={revalidate} />;
  // A link that was cut off on its way is as good as one that has ended.
  if (failure.code !== "link_expired" && failure.code !== "invalid")
    return (
      <Entrance title={t("office.title")}>
        <TryAgain failure={failure} />
      </Entrance>
    );
  return (
    <Entrance title={t("office.invitation.ended")}>
      <p>{t("office.invitation.endedText")}</p>
      <p>
        <Link to="/">{t("office.signIn.submit")}</Link>
      </p>
    </Entrance>
  );
}

function Said({ failure, children }: { failure: Failure; children: ReactNode }) {
  const { t } = useTexts();
  return (
    <div className="office-failed">
      <p className="message" role="alert">
        {failure.detail ?? t("office.network")}
      </p>
      {children}
    </div>
  );
}

function TryAgain({ failure }: { failure: Failure }) {
  const { t } = useTexts();
  const { revalidate, state } = useRevalidator();
  const pressed = useRef(false);
  // The page that takes the place of the button takes the focus, too.
  useEffect(
    () => () => {
      if (pressed.current) document.getElementById("page")?.focus();
    },
    [],
  );
  const retry = () => {
    if (state === "loading") return;
    pressed.current = true;
    void revalidate();
  };
  return (
    <Said failure={failure}>
      {/* A disabled button would lose the focus. */}
      <button type="button" className="button" aria-disabled={state === "loading"} onClick={retry}>
        {t("office.retry")}
      </button>
    </Said>
  );
}
