import { useTexts } from "#i18n/use-texts.tsx";
import type { readProgramme } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { useShop } from "#ui/web-shop.ts";

/** Address, telephone and hours as the programme's data have them; the web shop's own page without them. */
export function Contact({ contact }: { contact: ResponseBody<typeof readProgramme>["Contact"] }) {
  const { t } = useTexts();
  const shop = useShop();
  const { Email, Phone, Hours } = contact;
  const style = "inline-flex min-h-11 items-center font-display text-3xl leading-tight";
  return (
    <section
      id="contact"
      aria-labelledby="help-contact"
      className="grid scroll-mt-24 grid-cols-1 gap-x-6 gap-y-5 border-ink border-t pt-5 lg:grid-cols-12"
    >
      <h2 id="help-contact" className="text-section lg:col-span-4">
        {t("help.contact")}
      </h2>
      <div className="min-w-0 lg:col-span-8">
        {(Email || Phone) && <p className="max-w-[40rem] text-soft">{t("help.contactText")}</p>}
        <ul className="mt-2">
          {Email && (
            <li>
              <a className={style} href={`mailto:${Email}`}>
                <span className="min-w-0 [overflow-wrap:anywhere]">{Email}</span>
              </a>
            </li>
          )}
          {Phone && (
            <li>
              <a className={style} href={`tel:${Phone.replace(/[^+\d]/g, "")}`}>
                {Phone}
              </a>
              {Hours && <p className="text-md text-soft">{Hours}</p>}
            </li>
          )}
          <li>
            <a className="mt-3 inline-flex min-h-11 items-center" href={shop("Contact")}>
              <span className="underlined">{t("help.contactShop")}</span>
            </a>
          </li>
        </ul>
      </div>
    </section>
  );
}
