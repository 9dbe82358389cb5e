"use client";

import { TicketGrid, type TicketGridProps } from "@/components/catalog/listing/ticket-grid";
import type { CompareLabels } from "./compare-labels";
import { CompareBar, CompareToggle } from "./compare-toggle";

/** Tickets that can be chosen for the comparison. A separate grid, because not every page needs its code. */
export function ComparableTickets({ labels, ...grid }: TicketGridProps & { labels: CompareLabels }) {
  return (
    <>
      <TicketGrid
        {...grid}
        control={({ plan, title }) =>
          plan !== undefined && <CompareToggle planId={plan} name={title.text} labels={labels} />
        }
      />
      <CompareBar labels={labels} />
    </>
  );
}
