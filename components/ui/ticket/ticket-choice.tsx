import type { ChangeEventHandler, ReactNode } from "react";
import { Ticket } from "./ticket";
import { type HeroSpan, TicketHero } from "./ticket-hero";

/** A row of tickets as a radio group. The arrow keys move between them. */
export function TicketChoices({
  legend,
  hideLegend,
  children,
}: {
  legend: string;
  hideLegend?: boolean;
  children: ReactNode;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className={hideLegend ? "sr-only" : "pb-3 font-medium"}>{legend}</legend>
      <div className="ticket-choices">{children}</div>
    </fieldset>
  );
}

/** A ticket of the group: the duration above the seam, and price, price per day and a remark below. */
export function TicketChoice({
  name,
  value,
  hero,
  heroLabel,
  price,
  perDay,
  aside,
  disabled,
  checked,
  defaultChecked,
  onChange,
}: {
  name: string;
  value: string;
  hero: HeroSpan;
  heroLabel?: string;
  price: ReactNode;
  perDay?: string;
  aside?: ReactNode;
  disabled?: boolean;
  checked?: boolean;
  defaultChecked?: boolean;
  onChange?: ChangeEventHandler<HTMLInputElement>;
}) {
  return (
    <label className="ticket-choice">
      <input
        type="radio"
        className="sr-only"
        {...{ name, value, disabled, checked, defaultChecked, onChange }}
      />
      <Ticket
        shape="column"
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
