"use client";

import { useSessionSummary } from "@/components/shell/session-summary";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

/** Leads to the profile until the session is known. Both labels share one grid cell, so that its width is fixed. */
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
