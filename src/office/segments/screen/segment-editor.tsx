import { useEffect, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Segment } from "#loyalty/segments/segment.ts";
import { FormError } from "#office/screen/controls/controls.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { failureOf } from "#office/screen/failure.ts";
import { PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import * as calls from "#office/segments/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";
import { Select } from "#ui/form/select.tsx";
import { Table } from "#ui/table.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { type Group, groupOf, type Item, isChosen, newCondition, newGroup, segmentOf } from "./edited.ts";
import type { Choices } from "./use-options.ts";

interface Edited {
  IdSegment: number;
  Version: number;
  Name: string;
  Definition: Segment;
  Sends: boolean;
}

/** A segment as it is written, with who is in it. */
export function SegmentEditor({
  page,
  segment,
  onDone,
  onClose,
}: {
  page: Choices;
  segment: Edited | undefined;
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.saveSegment);
  const [name, setName] = useState(segment?.Name ?? "");
  const [sends, setSends] = useState(segment?.Sends ?? false);
  const [group, setGroup] = useState<Group>(() =>
    segment ? groupOf(segment.Definition) : { ...newGroup(), mode: "all" },
  );
  const Definition = JSON.stringify(segmentOf(group));
  const save = async () => {
    const known = segment && { IdSegment: String(segment.IdSegment), Version: String(segment.Version) };
    if (await act({ ...known, Name: name, Definition, Sends: sends ? "true" : "false" })) onDone();
  };
  return (
    <>
      <PageHead title={segment?.Name ?? t("office.segments.add")}>
        <button type="button" className="button" onClick={onClose}>
          {t("office.cancel")}
        </button>
        <button type="button" className="button solid" disabled={busy} onClick={save}>
          {t("office.segments.save")}
        </button>
      </PageHead>
      <FormError failure={failure} />
      <div className="programme-form">
        <section className="programme-part">
          <div className="segment-mode">
            <Field
              name="Name"
              label={t("office.programme.name")}
              maxLength={60}
              autoCapitalize="sentences"
              value={name}
              error={failure?.fields["Name"]}
              onChange={({ target }) => setName(target.value)}
            />
          </div>
          <GroupFields group={group} choices={page} mayNest onChange={setGroup} />
          <label className="office-check">
            <input type="checkbox" checked={sends} onChange={({ target }) => setSends(target.checked)} />
            {t("office.segments.sendsField")}
          </label>
        </section>
        {isChosen(group) ? (
          <Reach key={Definition} definition={Definition} />
        ) : (
          <p className="note">{t("office.segments.incomplete")}</p>
        )}
      </div>
    </>
  );
}

/** Conditions that hold together or one by one; one level of groups inside. */
function GroupFields({
  group,
  choices,
  mayNest = false,
  onChange,
}: {
  group: Group;
  choices: Choices;
  mayNest?: boolean;
  onChange: (group: Group) => void;
}) {
  const { t } = useTexts();
  const { items, mode } = group;
  const change = (index: number, item: Item) => onChange({ ...group, items: items.with(index, item) });
  const add = (item: Item) => onChange({ ...group, items: [...items, item] });
  return (
    <>
      <div className="segment-mode">
        <Select
          name={`mode ${group.key}`}
          label={t("office.segments.match")}
          value={mode}
          options={[
            ["all", t("office.segments.all")],
            ["any", t("office.segments.any")],
          ]}
          onChange={({ target }) => onChange({ ...group, mode: target.value === "all" ? "all" : "any" })}
        />
      </div>
      {items.map((item, index) => {
        const number = index + 1;
        const grouped = "items" in item;
        return (
          <fieldset
            key={item.key}
            className="segment-item"
            aria-label={grouped ? t("office.segments.group", { number }) : undefined}
          >
            {grouped ? (
              <GroupFields group={item} choices={choices} onChange={(inner) => change(index, inner)} />
            ) : (
              <ConditionFields
                condition={item.condition}
                number={number}
                choices={choices}
                onChange={(condition) => change(index, { ...item, condition })}
              />
            )}
            <div className="programme-buttons">
              <label className="office-check">
                <input
                  type="checkbox"
                  checked={item.negated}
                  onChange={({ target }) => change(index, { ...item, negated: target.checked })}
                />
                {t("office.segments.not")}
              </label>
              {items.length > 1 && (
                <button
                  type="button"
                  className="office-link"
                  onClick={() => onChange({ ...group, items: items.filter((one) => one !== item) })}
                >
                  {t(grouped ? "office.segments.removeGroup" : "office.segments.removeCondition", { number })}
                </button>
              )}
            </div>
          </fieldset>
        );
      })}
      <div className="programme-buttons">
        <button type="button" className="button" onClick={() => add(newCondition())}>
          {t("office.segments.addCondition")}
        </button>
        {mayNest && (
          <button type="button" className="button" onClick={() => add(newGroup())}>
            {t("office.segments.addGroup")}
          </button>
        )}
      </div>
    </>
  );
}

type Counted = ResponseBody<typeof calls.countSegment>;

/** How many it finds, and who may be written to; counted once a person has stopped typing. */
function Reach({ definition }: { definition: string }) {
  const { t, number } = useTexts();
  const { Role } = useSession();
  const [counted, setCounted] = useState<Counted | { failed: string | undefined }>();
  const [examples, setExamples] = useState<ResponseBody<typeof calls.readExamples>["Customers"]>();
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      browserCall(calls.countSegment, { Definition: definition }).then(
        (found) => gone || setCounted(found),
        (error) => {
          const { code, detail } = failureOf(error);
          if (!gone) setCounted({ failed: code === "invalid" ? t("office.segments.incomplete") : detail });
        },
      );
    }, 400);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [definition, t]);
  if (!counted) return <p className="note">{t("office.segments.counting")}</p>;
  if ("failed" in counted) return <p className="note">{counted.failed ?? t("office.network")}</p>;
  const { Members, Estimated, Email, Sms } = counted;
  const showExamples = async () =>
    setExamples((await browserCall(calls.readExamples, { Definition: definition })).Customers);
  return (
    <section className="programme-part" aria-live="polite">
      <h2>
        {t("office.segments.members", { count: Members, formatted: number(Members) })}
        {Estimated && ` (${t("office.segments.estimated")})`}
      </h2>
      <Table
        label={t("office.segments.reach")}
        stacked
        headings={[
          t("office.segments.channel"),
          { number: t("office.segments.reachable") },
          { number: t("office.segments.noConsent") },
          { number: t("office.segments.unreachable") },
          { number: t("office.segments.blocked") },
        ]}
      >
        {(
          [
            ["email", { ...Email, Missing: Email.Unconfirmed }],
            ["sms", { ...Sms, Missing: Sms.NoPhone }],
          ] as const
        ).map(([channel, reach]) => (
          <tr key={channel}>
            <td>{t(`office.segments.choice.${channel}`)}</td>
            {[reach.Reachable, reach.NoConsent, reach.Missing, reach.Blocked].map((count, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column.
              <td key={column} className="number">
                {number(count)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {Role === "owner" &&
        Members > 0 &&
        (examples ? (
          <Table
            label={t("office.segments.exampleList")}
            headings={[t("office.segments.exampleList"), { number: t("office.segments.fact.balance") }]}
          >
            {examples.map(({ IdCustomer, Firstname, Lastname, Points }) => (
              <tr key={IdCustomer}>
                <td>{`${Firstname} ${Lastname}`}</td>
                <td className="number">{number(Points)}</td>
              </tr>
            ))}
          </Table>
        ) : (
          <button type="button" className="button" onClick={showExamples}>
            {t("office.segments.examples")}
          </button>
        ))}
    </section>
  );
}
