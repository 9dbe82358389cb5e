import type { ReactNode } from "react";

/** The heading of a console page, with its actions beside. */
export function ConsoleHeader({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4">
      <div className="max-w-text">
        <h1 className="text-28 wrap-anywhere">{title}</h1>
        {lead && <p className="pt-1 text-quiet">{lead}</p>}
      </div>
      {children}
    </header>
  );
}
