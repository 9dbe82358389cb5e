import type { Span } from "@/lib/platform/format";
import { LIFETIME_CUT } from "@/lib/platform/ticket";

/** The duration, the most prominent element of a ticket. `label` is the text of "∞" ("Lifetime"). */
export function TicketHero({
  span,
  label,
  size = "large",
}: {
  span: Span;
  label?: string;
  size?: "large" | "small";
}) {
  const endless = span.value === "∞";
  return (
    <span className={size === "small" ? "ticket-hero ticket-hero-small" : "ticket-hero"}>
      <span aria-hidden={endless || undefined}>{endless ? <Endless /> : span.value}</span>
      <span>{span.unit || label}</span>
    </span>
  );
}

/** The infinity sign as an SVG, because the Latin font subset lacks it and system fonts differ. */
function Endless() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 44 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="4"
      style={{ height: "0.6em", display: "inline-block", verticalAlign: "-0.02em" }}
    >
      <path d={LIFETIME_CUT} />
    </svg>
  );
}
