import type { ComponentProps, ReactNode } from "react";
import type { DurationSpan } from "@/lib/platform/format";
import { Ticket, TicketName, type TicketNameProps } from "./ticket";
import { TicketHero } from "./ticket-hero";

/** A compact ticket for cart and order lines. `lead` is a checkbox. */
export function TicketLine({
  subtitle,
  level = "h3",
  lead,
  emblem,
  hero,
  heroLabel,
  price,
  note,
  holes = hero,
  state,
  children,
  ...name
}: TicketNameProps &
  Pick<ComponentProps<typeof Ticket>, "holes" | "state"> & {
    subtitle?: ReactNode;
    level?: "h2" | "h3";
    lead?: ReactNode;
    emblem?: ReactNode;
    hero: DurationSpan;
    heroLabel?: string;
    price: ReactNode;
    note?: ReactNode;
    children?: ReactNode;
  }) {
  return (
    <Ticket
      holes={holes}
      state={state}
      stub={
        <div className="flex h-full items-baseline justify-between gap-x-3 px-5 py-2.5 @min-[440px]:flex-col @min-[440px]:items-start @min-[440px]:justify-center @min-[440px]:py-4">
          <TicketHero span={hero} label={heroLabel} size="small" />
          <span className="flex flex-col items-end @min-[440px]:items-start">
            {price}
            {note && (
              <span className="figures text-end text-13 text-quiet @min-[440px]:text-start">{note}</span>
            )}
          </span>
        </div>
      }
    >
      <div className="grid grid-cols-[auto_auto_minmax(0,1fr)] p-3">
        {lead && (
          <div className="col-start-1 -mr-2 self-center pl-1 @min-[440px]:row-span-2 @min-[440px]:mr-0">
            {lead}
          </div>
        )}
        {emblem && (
          <div className="col-start-2 mr-3 size-16 @min-[440px]:row-span-2 @min-[440px]:mr-4 @min-[440px]:size-20 [&>img]:size-full">
            {emblem}
          </div>
        )}
        <div className="col-start-3 flex flex-col justify-center gap-0.5 py-0.5">
          <TicketName level={level} {...name} />
          {subtitle && <div className="text-13 text-quiet">{subtitle}</div>}
        </div>
        {children && (
          <div className="col-span-3 flex flex-wrap items-center justify-between gap-2 pt-2.5 @min-[440px]:col-span-1 @min-[440px]:col-start-3 @min-[440px]:justify-start @min-[440px]:pt-1.5">
            {children}
          </div>
        )}
      </div>
    </Ticket>
  );
}
