import type { ComponentProps, ReactNode } from "react";
import type { DurationSpan } from "@/lib/platform/format";
import { Ticket } from "./ticket";
import { TicketHero } from "./ticket-hero";

/** A row of tickets as a radio group. The arrow keys move between them. */
export function TicketChoices({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{legend}</legend>
      <div className="ticket-choices">{children}</div>
    </fieldset>
  );
}

type ChoiceProps = Pick<ComponentProps<"input">, "name" | "value" | "disabled" | "checked" | "onChange"> & {
  hero: DurationSpan;
  heroLabel?: string;
  price: ReactNode;
  perDay?: string;
  aside?: ReactNode;
};

/** A ticket of the group: the duration above the seam, and price, price per day and a remark below. */
export function TicketChoice({ hero, heroLabel, price, perDay, aside, ...input }: ChoiceProps) {
  return (
    <label className="ticket-choice">
      <input type="radio" className="sr-only" {...input} />
      <Ticket
        shape="column"
        holes={hero}
        stub={
          <span className="flex flex-col px-4 pt-3 pb-3.5">
            <span className="text-17">{price}</span>
            {perDay && <span className="figures text-13 text-quiet">{perDay}</span>}
            {aside && <span className="pt-1 text-13">{aside}</span>}
          </span>
        }
      >
        <span className="block px-4 pt-3 pb-3.5">
          <TicketHero span={hero} label={heroLabel} />
        </span>
      </Ticket>
    </label>
  );
}
