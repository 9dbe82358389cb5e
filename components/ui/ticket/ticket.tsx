import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

export type TicketProps = {
  /** The content of the body. */
  children: ReactNode;
  /** The content of the stub. */
  stub: ReactNode;
  /** `auto` places the stub beside the body from a width of 440 px. `column` always places it below. */
  shape?: "auto" | "column";
  /** `tearing` plays the tear-off animation once on appearance. `still` shows the torn ticket. */
  torn?: "tearing" | "still";
  /** Draws an outline only, for placeholders. */
  blank?: boolean;
  className?: string;
};

/**
 * The ticket shape: two parts joined at a notched, perforated seam (ticket.css). It is a size container, so inside a
 * flex row it needs an explicit width. Prefer ticket-link, ticket-choice, ticket-owned and ticket-line over direct
 * use.
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
