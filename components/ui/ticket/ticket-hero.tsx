import type { Span } from "@/lib/platform/format";

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
      <span aria-hidden={endless || undefined}>
        {endless ? <span className="ticket-infinity" /> : span.value}
      </span>
      <span>{span.unit || label}</span>
    </span>
  );
}
