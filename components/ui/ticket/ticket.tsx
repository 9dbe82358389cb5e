import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

export type TicketProps = {
  /** What stands on the part that is kept. */
  children: ReactNode;
  /** What stands on the part that can be torn off. */
  stub: ReactNode;
  /** `auto` lays the stub beside the body from 440 px of width on, `column` always below it. */
  shape?: "auto" | "column";
  /** `tearing` tears the stub off once as it appears; `still` shows it torn. */
  torn?: "tearing" | "still";
  /** Only an outline, for places that wait for a ticket. */
  blank?: boolean;
  className?: string;
};

/**
 * The one shape of this shop: two pieces of paper that meet at a notched, perforated seam (ticket.css).
 * It measures its own width, so inside a flex row it needs one given. Compose it through ticket-link,
 * ticket-choice, ticket-owned and ticket-line; use it bare only for something new.
 */
export function Ticket({ children, stub, shape = "auto", torn, blank, className }: TicketProps) {
  return (
    <div
      className={classNames(
        "ticket",
        shape === "column" && "ticket-column",
        torn && `ticket-${torn}`,
        blank && "ticket-blank",
        className,
      )}
    >
      <div className="ticket-frame">
        <div className="ticket-body">{children}</div>
        <div className="ticket-stub">{stub}</div>
      </div>
    </div>
  );
}
