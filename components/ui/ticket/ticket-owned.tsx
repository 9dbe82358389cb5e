import type { ComponentProps, ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import { Ticket, TicketName, type TicketNameProps } from "./ticket";

/**
 * The ticket of a bought pass: the clock first, beside it name and state, and on the stub the code. Everything else is under
 * one button, in a panel below the ticket.
 */
export function TicketOwned({
  subtitle,
  level = "h3",
  emblem,
  clock,
  status,
  actions,
  more,
  holes,
  state,
  slot,
  stub,
  ...name
}: TicketNameProps &
  Pick<ComponentProps<typeof Ticket>, "holes" | "state" | "slot" | "stub"> & {
    level?: "h2" | "h3";
    subtitle?: ReactNode;
    emblem?: ReactNode;
    clock: ReactNode;
    /** What state it is in, in words. */
    status?: ReactNode;
    /** One or two buttons, where there is room. */
    actions?: ReactNode;
    more?: { label: string; content: ReactNode };
  }) {
  return (
    <div className="ticket-card">
      <Ticket className="ticket-owned" holes={holes} state={state} slot={slot} stub={stub}>
        <div className="ticket-owned-body">
          {clock}
          {emblem}
          <div>
            <TicketName level={level} {...name} />
            {subtitle && <p className="truncate text-13 text-quiet">{subtitle}</p>}
          </div>
          {status && <div className="ticket-owned-status">{status}</div>}
          {actions && <div className="ticket-owned-actions">{actions}</div>}
        </div>
      </Ticket>
      {more && (
        <details className="ticket-more">
          <summary>
            <span className="ticket-more-label">{more.label}</span>
            <span className="sr-only"> {name.title}</span>
            <Icon name="down" size={16} />
          </summary>
          <div>{more.content}</div>
        </details>
      )}
    </div>
  );
}
