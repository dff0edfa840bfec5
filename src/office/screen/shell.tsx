import { type FormEvent, useEffect, useMemo, useRef } from "react";
import { Link, Outlet, useLocation, useNavigate, useNavigation, useRevalidator, useSearchParams } from "react-router";
import { barePath } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { ProofProvider, useAct } from "#office/screen/controls/use-act.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { signOut } from "#office/sign-in/calls.ts";
import { LanguageLinks } from "#ui/language-links.tsx";
import { countOf, sectionsOf } from "./menu.ts";
import { useSession } from "./session.tsx";
import { useOnline } from "./use-online.ts";

/** The menu at the left, the bar above, the page in between. */
export function Office() {
  const { t } = useTexts();
  const { state } = useNavigation();
  const online = useOnline();
  const { time } = useFormats();
  const session = useSession();
  // Who is signed in is read with every page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session that was read again is why.
  const readAt = useMemo(() => new Date().toISOString(), [session]);
  return (
    <ProofProvider>
      <a className="skip" href="#page">
        {t("office.skip")}
      </a>
      <div className="office-frame">
        <Menu />
        <Bar />
        <main id="page" tabIndex={-1} aria-busy={state === "loading"}>
          {!online && (
            <p className="banner" role="status">
              {t("office.offline", { time: time(readAt) })}
            </p>
          )}
          {/* Offline the page stays as it was read last, and nothing can be pressed that would need an answer. */}
          <fieldset role="presentation" className="office-work" disabled={!online}>
            <Outlet />
          </fieldset>
        </main>
      </div>
    </ProofProvider>
  );
}

/** Before the first page is read. */
export function Opening() {
  const { t } = useTexts();
  return <p className="office-opening">{t("office.loading")}</p>;
}

function Menu() {
  const { t } = useTexts();
  const { Firstname, Lastname, Role, Waiting } = useSession();
  const { pathname } = useLocation();
  const { revalidate } = useRevalidator();
  const { act, busy } = useAct(signOut);
  const leave = async () => {
    await act({});
    await revalidate();
  };
  return (
    <nav className="office-menu" aria-label={t("office.menu.label")}>
      <p className="brand">{t("wordmark")}</p>
      <div className="pages">
        {sectionsOf(Role).map(({ path, also, text, group, waiting }) => {
          const here = pathname === path || also?.includes(pathname);
          const count = countOf(waiting, Waiting);
          return (
            <div key={path}>
              {group && <p className="group">{t(group)}</p>}
              <Link to={path} className={here ? "active" : undefined} aria-current={here ? "page" : undefined}>
                {t(text)}
                {count > 0 && <Count count={count} />}
              </Link>
            </div>
          );
        })}
      </div>
      <div className="person">
        <Link to="/me">
          {Firstname} {Lastname}
        </Link>
        <span className="note">{t(`office.role.${Role}`)}</span>
        <button type="button" className="office-link" disabled={busy} onClick={leave}>
          {t("office.signOut")}
        </button>
      </div>
    </nav>
  );
}

/** How many wait for this person's decision. A hundred stand for more. */
function Count({ count }: { count: number }) {
  const { t } = useTexts();
  return (
    <>
      {" "}
      <span className="count" aria-hidden="true">
        {count < 100 ? count : "99+"}
      </span>
      <span className="sr-only">{t("office.menu.waiting", { count })}</span>
    </>
  );
}

function Bar() {
  const { t } = useTexts();
  const { today } = useFormats();
  const { Role } = useSession();
  return (
    <header className="office-bar">
      {sectionsOf(Role).some(({ path }) => path === "/customers") && <Search />}
      <span className="date">{today(new Date())}</span>
      <LanguageLinks label={t("office.language")} path={barePath(location.pathname) + location.search} />
    </header>
  );
}

/** One search for customers, from every page; the key / leads to it. */
function Search() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog");
      if (event.key !== "/" || typing) return;
      event.preventDefault();
      ref.current?.select();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const words = ref.current?.value.trim() ?? "";
    void navigate(`/customers?${new URLSearchParams(words ? { search: words } : {})}`);
  };
  return (
    <search>
      <form onSubmit={search}>
        <input
          ref={ref}
          type="search"
          name="search"
          key={params.get("search")}
          defaultValue={params.get("search") ?? ""}
          aria-label={t("office.search")}
          placeholder={t("office.search")}
          autoComplete="off"
          spellCheck={false}
        />
        <span className="key">/</span>
      </form>
    </search>
  );
}
