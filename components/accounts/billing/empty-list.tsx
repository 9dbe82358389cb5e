import type { ReactNode } from "react";

/** Empty state of one list among several on a page: its purpose and the action to add an entry, without a picture. */
export function EmptyList({
  title,
  action,
  children,
}: {
  title: string;
  action: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 rounded-ticket border border-dashed border-control px-5 py-6">
      <div className="max-w-text">
        <h3 className="text-17">{title}</h3>
        <p className="pt-1 text-quiet">{children}</p>
      </div>
      {action}
    </div>
  );
}
