"use client";

import { useSessionSummary } from "@/components/shell/session-summary";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

/**
 * The link to the profile, or to the login for guests. Until the session is known it leads to the profile, which
 * redirects guests. Both labels share one grid cell, so the wider one determines the width.
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
