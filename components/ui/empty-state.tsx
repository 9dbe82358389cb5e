import type { ReactNode } from "react";
import { Ticket } from "@/components/ui/ticket/ticket";

/** An empty state with the next action, drawn as the outline of a ticket. */
export function EmptyState({
  title,
  level: Heading = "h2",
  action,
  children,
}: {
  title: string;
  level?: "h2" | "h3";
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-5 px-4 py-14 text-center">
      <div aria-hidden="true" className="w-44 -rotate-3">
        <Ticket blank stub={<div className="h-9" />}>
          <div className="h-20" />
        </Ticket>
      </div>
      <Heading className="max-w-full text-21 wrap-anywhere">{title}</Heading>
      {children && <div className="w-full max-w-text text-quiet">{children}</div>}
      {action}
    </div>
  );
}
