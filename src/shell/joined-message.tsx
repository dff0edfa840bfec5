import { useEffect, useState } from "react";
import { useLocation, useNavigation, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { joinedParameter } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/browser/session.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { StatusMessage } from "#ui/status-message.tsx";

/** Congratulates who has joined while registering: on the page that the registration redirects to. */
export function JoinedMessage({ standing: { Points } }: { standing: LoyaltyCustomer }) {
  const { t, number } = useTexts();
  const { pathname } = useLocation();
  const customer = useCustomer();
  const { formMethod } = useNavigation();
  const [search, setSearch] = useSearchParams();
  const named = search.has(joinedParameter);
  const [shownOn, setShownOn] = useState<string>();
  // The parameter is removed, so that a reload does not show it again.
  useEffect(() => {
    if (!named) return;
    setShownOn(pathname);
    const others = new URLSearchParams(search);
    others.delete(joinedParameter);
    setSearch(others, { replace: true, preventScrollReset: true });
  }, [named, pathname, search, setSearch]);
  // What is done next has a message of its own.
  useEffect(() => {
    if (formMethod) setShownOn(undefined);
  }, [formMethod]);
  if (!named && shownOn !== pathname) return null;
  const gift = Points.Available;
  const joined = gift > 0 ? t("member.joined", { points: number(gift) }) : t("member.joinedAgain");
  return (
    <StatusMessage message={customer?.EmailVerified ? joined : `${joined} ${t("account.unverified")}`} moment="join" />
  );
}
