import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { findCustomers } from "#office/customers/calls.ts";
import { type Failure, failureOf } from "#office/screen/failure.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";

type Found = ResponseBody<typeof findCustomers>["Customers"][number];

const mostShown = 5;

/** A search inside a panel's form: what was typed, the customers found that `fits` accepts, and why it failed. */
export function useFindCustomer(fits: (customer: Found) => boolean) {
  const { t } = useTexts();
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Found[]>();
  const [failure, setFailure] = useState<Failure>();
  const read = async <T,>(call: () => Promise<T>): Promise<T | undefined> => {
    setFailure(undefined);
    return call().catch((error: unknown) => {
      const failed = failureOf(error);
      setFailure({ ...failed, detail: failed.detail ?? t("office.network") });
      return undefined;
    });
  };
  const find = async () => {
    const answer = await read(() => browserCall(findCustomers, { Search: words }));
    setFound(answer?.Customers.filter(fits).slice(0, mostShown));
  };
  return { words, setWords, found, find, read, failure };
}

export function FindCustomer(props: {
  search: Pick<ReturnType<typeof useFindCustomer>, "words" | "setWords" | "found">;
  label: string;
  /** Said when none was found. */
  none: string;
  chosen: number | undefined;
  /** Another search begins: what was chosen no longer counts. */
  onType: () => void;
  onChoose: (id: number) => void;
}) {
  const { t } = useTexts();
  const { words, setWords, found } = props.search;
  return (
    <>
      <Field
        name="search"
        label={props.label}
        hint={t("office.search")}
        autoComplete="off"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          props.onType();
        }}
      />
      {found?.length === 0 && <p className="note">{props.none}</p>}
      {found && found.length > 0 && (
        <fieldset className="office-found">
          <legend className="sr-only">{props.label}</legend>
          {found.map(({ IdCustomer, Firstname, Lastname, Email, CardNumber }) => (
            <label key={IdCustomer}>
              <input
                type="radio"
                name="found"
                checked={props.chosen === IdCustomer}
                onChange={() => props.onChoose(IdCustomer)}
              />
              <span>
                {Firstname} {Lastname}
                <br />
                <span className="note">
                  {Email}
                  {CardNumber && `, ${CardNumber}`}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
