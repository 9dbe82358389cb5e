import type { ReactNode } from "react";
import { ConsoleLink } from "@/components/console/link";

type Props = {
  href: string;
  name: string;
  count: string;
  /** since when, or until when */
  children?: ReactNode;
};

/** A queue in which something waits: how much, and since or until when. */
export function QueueCard({ href, name, count, children }: Props) {
  return (
    <ConsoleLink
      href={href}
      className="flex h-full items-center gap-4 rounded-control border border-hairline bg-raised p-4 hover:border-ink"
    >
      <span className="figures text-28 font-semibold">{count}</span>
      <span className="min-w-0">
        <span className="block font-medium">{name}</span>
        {children && <span className="block text-13 text-quiet">{children}</span>}
      </span>
    </ConsoleLink>
  );
}
