import { Link } from "react-router";
import { useSession } from "#office/screen/session.tsx";
import type { Conflict } from "./conflicts.tsx";

/** Whose receipt it is. Of the roles that decide, only an owner may read the record. */
export function CustomerName({ conflict: { Customer, IdCustomer } }: { conflict: Conflict }) {
  const { Role } = useSession();
  if (Role !== "owner" || !Customer) return Customer;
  return <Link to={`/customer?id=${IdCustomer}`}>{Customer}</Link>;
}
