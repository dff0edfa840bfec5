import { useTexts } from "#i18n/use-texts.tsx";
import { mostLineCodes } from "#loyalty/programme/rules.ts";
import { Field } from "#ui/form/field.tsx";
import { type Editing, replaced, without } from "./editing.ts";
import { LineRuleFields } from "./line-rule-fields.tsx";
import { TextsFields } from "./texts-fields.tsx";

/** Which lines earn, and the codes that lines may have. */
export function LinesForm({ rules, change, errorOf }: Editing) {
  const { t } = useTexts();
  const { earnsOn, lineCodes } = rules;
  return (
    <div className="programme-form">
      <section className="programme-part">
        <LineRuleFields
          label={t("office.lines.earnsOn")}
          rule={earnsOn}
          lineCodes={lineCodes}
          errorOf={(part) => errorOf(`earnsOn.${part}`)}
          onChange={(rule) => change({ earnsOn: rule })}
        />
        <p className="note">{t("office.lines.giftCards")}</p>
      </section>
      <section className="programme-part" aria-label={t("office.lines.codes")}>
        <h2>{t("office.lines.codes")}</h2>
        <p className="note">{t("office.lines.codesNote")}</p>
        {lineCodes.map(({ code, name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the code is being typed.
          <div key={index} className="programme-code">
            <Field
              name={`code ${index}`}
              label={t("office.lines.code")}
              maxLength={24}
              autoCapitalize="none"
              autoComplete="off"
              value={code}
              error={errorOf(`lineCodes.${index}.code`)}
              onChange={({ target }) =>
                change({ lineCodes: replaced(lineCodes, index, { code: target.value.toLowerCase() }) })
              }
            />
            <TextsFields
              label={t("office.programme.name")}
              texts={name}
              maxLength={40}
              errorOf={(language) => errorOf(`lineCodes.${index}.name.${language}`)}
              onChange={(texts) => change({ lineCodes: replaced(lineCodes, index, { name: texts }) })}
            />
            <button
              type="button"
              className="office-link"
              onClick={() => change({ lineCodes: without(lineCodes, index) })}
            >
              {t("office.programme.remove")}
            </button>
          </div>
        ))}
        {lineCodes.length < mostLineCodes && (
          <button
            type="button"
            className="button"
            onClick={() => change({ lineCodes: [...lineCodes, { code: "", name: { fr: "", en: "", de: "" } }] })}
          >
            {t("office.lines.addCode")}
          </button>
        )}
      </section>
    </div>
  );
}
