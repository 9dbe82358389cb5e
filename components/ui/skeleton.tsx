import { classNames } from "@/components/ui/class-names";
import { Ticket } from "@/components/ui/ticket/ticket";

/** A gray placeholder for a line of text. The parent sets its height and width. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames("skeleton", className)} />;
}

/** A placeholder with the size of a ticket. Put `aria-busy` on the surrounding list. */
export function TicketSkeleton() {
  return (
    <Ticket
      stub={
        <div className="flex h-full items-center justify-between gap-2 px-5 py-4 @min-[440px]:flex-col @min-[440px]:items-start @min-[440px]:justify-center">
          <Skeleton className="h-9 w-20" />
          <Skeleton className="h-4 w-16" />
        </div>
      }
    >
      <div className="flex gap-4 p-3">
        <Skeleton className="size-20 flex-none rounded-control @min-[440px]:size-28" />
        <div className="flex flex-1 flex-col gap-2.5 pt-2">
          <Skeleton className="h-5 w-3/5" />
          <Skeleton className="h-4 w-2/5" />
        </div>
      </div>
    </Ticket>
  );
}
