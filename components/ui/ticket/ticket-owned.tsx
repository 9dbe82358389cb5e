import type { ReactNode } from "react";
import { Ticket, TicketName, type TicketNameProps } from "./ticket";

/** An owned ticket with its clock on the stub. `children` contains the code box and buttons. */
export function TicketOwned({
  subtitle,
  level = "h3",
  emblem,
  clock,
  clockNote,
  torn,
  children,
  ...name
}: TicketNameProps & {
  subtitle?: ReactNode;
  level?: "h2" | "h3";
  emblem?: ReactNode;
  clock: ReactNode;
  clockNote?: ReactNode;
  torn?: "tearing" | "still";
  children?: ReactNode;
}) {
  return (
    <Ticket
      torn={torn}
      stub={
        <div className="flex h-full items-center gap-4 px-5 py-4 @min-[440px]:flex-col @min-[440px]:justify-center @min-[440px]:gap-2 @min-[440px]:px-3 @min-[440px]:text-center">
          {clock}
          {clockNote && <div className="text-13 text-quiet">{clockNote}</div>}
        </div>
      }
    >
      <div className="flex flex-col gap-4 p-4 @min-[440px]:p-5">
        <div className="flex items-center gap-4">
          {emblem && <div className="size-14 flex-none [&>img]:size-full">{emblem}</div>}
          <div className="min-w-0 flex-1">
            <TicketName level={level} {...name} />
            {subtitle && <div className="text-quiet">{subtitle}</div>}
          </div>
        </div>
        {children}
      </div>
    </Ticket>
  );
}
