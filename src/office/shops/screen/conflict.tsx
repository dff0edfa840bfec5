import { Link } from "react-router";
import { useSession } from "#office/screen/session.tsx";
import type { listConflicts } from "#office/shops/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

/** A receipt that waits for a person. */
export type Conflict = ResponseBody<typeof listConflicts>["Conflicts"][number];

/** Whose receipt it is. Of the roles that decide, only an owner may read the record. */
export function CustomerName({ conflict: { Customer, IdCustomer } }: { conflict: Conflict }) {
  const { Role } = useSession();
  if (Role !== "owner" || !Customer) return Customer;
  return <Link to={`/customer?id=${IdCustomer}`}>{Customer}</Link>;
}
