import { type FormEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { nameLength } from "#identity/customer/customer-fields.ts";
import { BirthdayField } from "#identity/fields/birthday-field.tsx";
import { PhoneField } from "#identity/fields/contact-fields.tsx";
import { LegalLinks } from "#identity/fields/legal-links.tsx";
import { NewPasswordField } from "#identity/fields/new-password-fields.tsx";
import { friendCode, isFromShop, isJoining, pagePaths } from "#identity/paths.ts";
import { loginToAccountPath } from "#identity/session/browser/redirect-after-sign-in.ts";
import { setUi, uiStore } from "#identity/session/browser/ui-store.ts";
import { shopDevice, useShopDevice } from "#identity/session/device/shop-device.ts";
import { SocialButtons } from "#identity/social/screen/social-buttons.tsx";
import { formAction } from "#platform/api/client/form.ts";
import { useActed } from "#platform/api/client/use-loaded.ts";
import { useStore } from "#ui/browser/store.ts";
import { useMinimumDisplayTime } from "#ui/browser/use-minimum-display-time.ts";
import { isVisible } from "#ui/browser/visible.ts";
import { Checkbox, Choice, Field } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { later } from "#ui/lazy.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { type Draft, deleteDraft, readDraft, resumeDraft, saveDraft } from "./registration-draft.ts";
import { AccessErrors, RegistrationEmail, useEmailCheck } from "./registration-email.tsx";

export const loader = later(async () => (await import("./register.data.ts")).loader);
export const action = formAction(later(async () => (await import("./register.data.ts")).act));

/** What the page knows of the club, which identity does not import. */
interface Club {
  /** The welcome gift; 0 when there is none. */
  points: number;
  /** A picture of the card. */
  card: ReactNode;
}

/**
 * Two steps of one form. The address's fragment and the style sheet alone show them, so that back and next work before
 * hydration, and so does the browser's back button.
 */
export function RegisterForm({ club }: { club: Club }) {
  const { t, number } = useTexts();
  const path = useLocalePath();
  const [search] = useSearchParams();
  const refused = useActed<typeof action>();
  const { draft, offer, resume, restart } = useDraft();
  const check = useEmailCheck(refused);
  const [asking, setAsking] = useState(false);
  const waiting = useMinimumDisplayTime(asking);
  const query = search.size > 0 ? `?${search}` : "";
  const signInPath = query ? `${pagePaths.login}${query}` : loginToAccountPath;
  // In the shop only what a card needs is asked; the rest can be added in the account, and earns points there.
  const short = isFromShop(search);
  const shared = useShopDevice(search);
  const joining = isJoining(search);
  const friend = friendCode(search);
  const gift = { count: club.points, formatted: number(club.points) };
  const title = t(joining ? "register.cardTitle" : "register.title");

  /** A submit from the first step (a click on next, or Enter) opens the second instead. */
  async function openDetails(event: FormEvent<HTMLFormElement>) {
    const form = event.currentTarget;
    const details = form.querySelector<HTMLElement>("#details");
    if (!details || isVisible(details)) return;
    event.preventDefault();
    const email = form.querySelector<HTMLInputElement>("[name=Email]");
    setAsking(true);
    const wrong = await check.askWithTimeout(email?.value ?? "");
    setAsking(false);
    if (wrong) {
      email?.focus();
      return;
    }
    location.hash = "details";
    details.querySelector("h2")?.focus();
  }

  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-title">{title}</h1>
      <p className="mt-3 text-soft">
        {t("register.haveAccount")}{" "}
        <Link className="underlined text-ink" to={path(signInPath)}>
          {t("login.title")}
        </Link>
      </p>
      {joining && (
        <CardTile card={club.card} title={t("register.cardText", gift)}>
          {friend && <p className="text-md">{t("register.friend")}</p>}
          {short && (
            <p className="text-md">
              {t("register.fromStore")} {shared && t("register.shared")}
            </p>
          )}
        </CardTile>
      )}
      {offer && (
        <div role="status" className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2 bg-linen p-4 text-md">
          <p>{t("register.resume")}</p>
          <button type="button" className="underlined min-h-11" onClick={resume}>
            {t("register.resumeYes")}
          </button>
          <button type="button" className="underlined min-h-11" onClick={restart}>
            {t("register.resumeNo")}
          </button>
        </div>
      )}
      <PageForm
        key={draft ? "resumed" : "fresh"}
        className="steps mt-8"
        marked
        autoComplete={shared ? "off" : undefined}
        action={`${query || "?"}#details`}
        refused={refused ?? (draft && { ok: false, intent: "", problem: undefined, values: draft.values })}
        quiet={refused?.problem?.code === "email_taken" || !refused}
        onSubmit={openDetails}
        onChange={(event) => shared || saveDraft(event.currentTarget)}
      >
        {friend && <input type="hidden" name="ReferralCode" value={friend} />}
        <div id="access" className="step space-y-5">
          <StepTitle step={1} title={t("register.access")} />
          <RegistrationEmail check={check} signInPath={signInPath} />
          <NewPasswordField label={t("identity.password")} />
          {/* biome-ignore lint/a11y/useValidAnchor: a real link, which shows the step without script too; the handler only checks the first. */}
          <a className="button solid w-full" href="#details" onClick={next}>
            {t(waiting ? "form.working" : "register.next")}
          </a>
        </div>
        <div id="details" className="step space-y-5">
          <StepTitle step={2} title={t("register.details")} />
          <AccessErrors check={check} signInPath={signInPath} refused={refused} />
          {!short && (
            <Choice
              name="Civility"
              legend={t("identity.civility")}
              options={[
                ["Mme", t("identity.civility.Mme")],
                ["M", t("identity.civility.M")],
              ]}
            />
          )}
          <div className="grid gap-5 sm:grid-cols-2">
            <Field name="Firstname" label={t("identity.firstname")} autoComplete="given-name" maxLength={nameLength} />
            <Field name="Lastname" label={t("identity.lastname")} autoComplete="family-name" maxLength={nameLength} />
          </div>
          <BirthdayField />
          {!short && (
            <>
              <p className="text-sm text-soft">{t("register.birthdayWhy")}</p>
              <PhoneField />
            </>
          )}
          {!joining && (
            <CardTile card={club.card} title={t("register.cardOffer", gift)}>
              <Checkbox name="LoyaltySubscribe">{t("identity.consent.loyalty")}</Checkbox>
            </CardTile>
          )}
          {!short && (
            <div className="border-line border-t pt-3">
              <Checkbox name="NewletterActive">{t("identity.consent.newsletter")}</Checkbox>
              <Checkbox name="NewsletterSmsSubscribe">{t("identity.consent.sms")}</Checkbox>
            </div>
          )}
          <LegalLinks />
          {joining ? (
            <>
              <p className="border-line border-t pt-5">{t("identity.consent.loyalty")}</p>
              <Submit name="LoyaltySubscribe" value="true">
                {club.points > 0 ? t("register.cardSubmit", { points: gift.formatted }) : t("register.cardTitle")}
              </Submit>
              <Submit className="button w-full">{t("register.withoutCard")}</Submit>
            </>
          ) : (
            <Submit>{t("register.submit")}</Submit>
          )}
          <a className="button w-full" href="#access">
            {t("register.back")}
          </a>
        </div>
      </PageForm>
      {/* A provider would leave its own session on the shop's device. */}
      {!shared && <SocialButtons refused={refused} />}
    </>
  );
}

/** The card as a picture, with what is said about it. */
function CardTile({ card, title, children }: { card: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="mt-6 space-y-3 bg-linen p-4">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] items-center gap-5">
        {card}
        <p className="break-words font-display text-2xl leading-snug">{title}</p>
      </div>
      {children}
    </div>
  );
}

function StepTitle({ step, title }: { step: number; title: string }) {
  const { t } = useTexts();
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-ink border-t pt-3">
      <h2 className="text-3xl" tabIndex={-1}>
        {title}
      </h2>
      <p className="text-sm text-soft">{t("register.step", { step })}</p>
    </div>
  );
}

/** With script, next submits the form, which validates what is on the screen first. */
function next(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  event.currentTarget.closest("form")?.requestSubmit();
}

/** Restores the draft: by itself within a visit, on request after an abandoned one. */
function useDraft() {
  const { locale } = useTexts();
  const [draft, setDraft] = useState<Draft | undefined>();
  const abandonedVisit = useStore(uiStore, (ui) => ui.abandonedVisit);
  const hasRun = useRef(false);
  useEffect(() => {
    if (hasRun.current) return;
    hasRun.current = true;
    if (shopDevice.get()) return deleteDraft();
    const stored = readDraft(locale);
    setDraft(stored.draft);
    setUi({ abandonedVisit: stored.abandonedVisit });
  }, [locale]);
  return {
    draft: abandonedVisit ? undefined : draft,
    offer: abandonedVisit && draft !== undefined,
    resume() {
      resumeDraft();
      setUi({ abandonedVisit: false });
    },
    restart() {
      deleteDraft();
      setDraft(undefined);
      setUi({ abandonedVisit: false });
    },
  };
}
