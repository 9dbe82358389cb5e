import type { ReactNode } from "react";

/** The heading of a console page, with its actions beside. */
export function ConsoleHeader({
  title,
  lead,
  dense = false,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** Above a list: one line, with the lead cut. */
  dense?: boolean;
  children?: ReactNode;
}) {
  if (dense)
    return (
      <header className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 min-[900px]:-mt-2 min-[900px]:[&_.button]:min-h-8 min-[900px]:[&_.button]:px-3 min-[900px]:[&_.button]:py-0 min-[900px]:[&_.button]:text-13 min-[900px]:[&_a]:min-h-8">
        <h1 className="text-21 wrap-anywhere">{title}</h1>
        {lead && (
          <p
            className="min-w-0 flex-1 text-13 text-quiet max-[899px]:order-last max-[899px]:basis-full min-[900px]:truncate"
            title={typeof lead === "string" ? lead : undefined}
          >
            {lead}
          </p>
        )}
        <span className={lead ? "flex-1 min-[900px]:hidden" : "flex-1"} />
        {children}
      </header>
    );
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4">
      <div className="max-w-text">
        <h1 className="text-28 wrap-anywhere">{title}</h1>
        {lead && <p className="pt-1 text-quiet">{lead}</p>}
      </div>
      {children && <div className="flex flex-wrap items-center gap-3">{children}</div>}
    </header>
  );
}
