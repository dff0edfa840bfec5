import { Link, useRevalidator, useRouteError } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { failureOf } from "./failure.ts";
import { NotFound } from "./not-found.tsx";
import { SignIn } from "./sign-in.tsx";

/** What stands in the place of a page that could not be read. */
export function Failed() {
  const { t } = useTexts();
  const error = useRouteError();
  const { revalidate, state } = useRevalidator();
  const failure = failureOf(error);
  if (failure.code === "not_signed_in") return <SignIn onDone={revalidate} />;
  // An address that names nothing: what was typed into it will not get better by trying again.
  if (failure.code === "not_found" || failure.code === "invalid") return <NotFound />;
  const alert = (
    <p className="bad" role="alert">
      {failure.detail ?? t("office.network")}
    </p>
  );
  if (failure.code === "forbidden")
    return (
      <div className="office-failed">
        {alert}
        <Link className="office-link" to="/">
          {t("office.notFound.back")}
        </Link>
      </div>
    );
  return (
    <div className="office-failed">
      {alert}
      <button type="button" className="office-button" disabled={state === "loading"} onClick={() => revalidate()}>
        {t("office.retry")}
      </button>
    </div>
  );
}
