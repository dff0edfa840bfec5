import { Link } from "react-router";

export function Component() {
  return <Link to="/other">Other</Link>;
}
