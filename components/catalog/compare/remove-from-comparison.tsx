"use client";

import { Link } from "@/components/ui/link";
import { removeComparedPlan } from "./compared-plans";

/** Leads to the comparison without a pass, and removes it from the choice in this browser. */
export function RemoveFromComparison({
  planId,
  href,
  text,
  name,
}: {
  planId: number;
  href: string;
  text: string;
  name: string;
}) {
  return (
    <Link
      href={href}
      rel="nofollow"
      onClick={() => removeComparedPlan(planId)}
      className="text-link flex min-h-11 items-center text-13"
    >
      {text}
      <span className="sr-only"> {name}</span>
    </Link>
  );
}
