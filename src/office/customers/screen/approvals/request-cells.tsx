import type { ReactNode } from "react";
import { Link } from "react-router";

/** A line, and below it a smaller one. */
export function Noted({ children, note }: { children: ReactNode; note: ReactNode }) {
  return (
    <>
      {children}
      {note && (
        <>
          <br />
          <span className="note">{note}</span>
        </>
      )}
    </>
  );
}

/** The way to a customer's page. */
export function CustomerLink({ of }: { of: { IdCustomer: number; Firstname: string; Lastname: string } }) {
  return (
    <Link to={`/customer?id=${of.IdCustomer}`}>
      {of.Firstname} {of.Lastname}
    </Link>
  );
}
