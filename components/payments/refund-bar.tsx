import type { ReactNode } from "react";

/** A bar of `all` days, of which `days` are open and `spent` are over. */
export function RefundBar({
  label,
  text,
  days,
  spent = 0,
  all,
}: {
  label: string;
  text: ReactNode;
  days: number;
  spent?: number;
  all: number;
}) {
  return (
    <div>
      <div className="flex justify-between gap-3 text-13">
        <span>{label}</span>
        <span className="figures" suppressHydrationWarning>
          {text}
        </span>
      </div>
      <div className="mt-1 flex gap-0.5">
        {Array.from({ length: all }, (_, day) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is its number
            key={day}
            suppressHydrationWarning
            className={`h-2.5 flex-1 rounded-[2px] ${day < spent ? "bg-hairline" : day < days ? "bg-good" : "border border-hairline"}`}
          />
        ))}
      </div>
    </div>
  );
}
