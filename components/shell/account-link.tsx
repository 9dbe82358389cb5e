"use client";

import { useSessionSummary } from "@/components/shell/session-summary";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

/**
 * To the profile, or for a guest to the login. Until the answer is there it leads to the profile, whose
 * gate sends guests on. Both words share one cell, so the wider one holds the place.
 */
export function AccountLink({
  labels,
  className,
}: {
  labels: { account: string; login: string };
  className?: string;
}) {
  const guest = useSessionSummary()?.signedIn === false;
  return (
    <Link href={guest ? "/login" : "/profile"} className={className}>
      <Icon name="user" />
      <span className="inline-grid max-xl:sr-only">
        <span className={`col-start-1 row-start-1 ${guest ? "invisible" : ""}`}>{labels.account}</span>
        <span className={`col-start-1 row-start-1 ${guest ? "" : "invisible"}`}>{labels.login}</span>
      </span>
    </Link>
  );
}
