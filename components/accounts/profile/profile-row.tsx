import type { ReactNode } from "react";

/** A row of a profile section: a label, its value or description, and its actions. */
export function ProfileRow({
  term,
  value,
  note,
  action,
}: {
  term: ReactNode;
  value?: ReactNode;
  note?: ReactNode;
  action?: ReactNode;
}) {
  if (note)
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
        <div className="min-w-56 flex-1">
          <p className="font-semibold">{term}</p>
          <p className="text-13 text-quiet">{note}</p>
        </div>
        {action}
      </div>
    );
  return (
    <div className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 py-3 pr-3 pl-5">
      <div className="min-w-32 flex-1">
        <p className="text-13 text-quiet">{term}</p>
        <div className="wrap-anywhere">{value}</div>
      </div>
      {action}
    </div>
  );
}
