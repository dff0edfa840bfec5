import { Link, useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { readInbox } from "#office/inbox/calls.ts";
import type { InboxKind } from "#office/inbox/kinds.ts";
import { List } from "#office/screen/controls/list.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import { browserCall } from "#platform/api/client/client.ts";

export const loadInbox = () => browserCall(readInbox);

/** Where each kind is decided. */
const places: Record<InboxKind, string> = {
  points: "/approvals?kind=points",
  voucher: "/approvals?kind=voucher",
  erase: "/approvals?kind=erase",
  merge: "/approvals?kind=merge",
  return: "/shops",
  review: "/shops",
  clock: "/shops",
  campaign: "/campaigns",
  draft: "/programme",
  moved: "/cases",
};

/** Everything that waits for this person, and how much. */
export function Inbox() {
  const { t, number } = useTexts();
  const { dayOfYear } = useFormats();
  const { Groups, Mine } = useLoaderData<typeof loadInbox>();
  return (
    <>
      <PageHead title={t("office.menu.inbox")} note={t("office.inbox.note")} />
      <List
        label={t("office.menu.inbox")}
        rows={Groups}
        columns={[
          { heading: t("office.inbox.what"), value: ({ Kind }) => t(`office.inbox.kind.${Kind}`) },
          {
            heading: t("office.inbox.count"),
            value: ({ Count }) => Count,
            number: true,
            total: (rows) => number(rows.reduce((sum, { Count }) => sum + Count, 0)),
          },
          {
            heading: t("office.inbox.oldest"),
            value: ({ OldestAt }) => OldestAt && dayOfYear(OldestAt),
            by: ({ OldestAt }) => OldestAt,
            number: true,
          },
        ]}
        empty={t("office.inbox.none")}
        row={({ Kind, Count, OldestAt }) => (
          <tr key={Kind}>
            <td>
              <Link to={places[Kind]}>{t(`office.inbox.kind.${Kind}`)}</Link>
            </td>
            <td className="number">{number(Count)}</td>
            <td className="number">{OldestAt && dayOfYear(OldestAt)}</td>
          </tr>
        )}
      />
      {Mine > 0 && (
        <p>
          <Link to="/approvals">{t("office.inbox.mine", { count: Mine })}</Link>
        </p>
      )}
    </>
  );
}
