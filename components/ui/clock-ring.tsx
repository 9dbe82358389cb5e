import type { ReactNode } from "react";

/** Below this remaining fraction a clock is highlighted. */
const LOW_FRACTION = 0.15;

/** The clock of a pass: a ring that empties clockwise. `fraction` is the rest, null for an unlimited pass. */
export function ClockRing({
  fraction,
  value,
  unit,
  label,
}: {
  fraction: number | null;
  value: ReactNode;
  unit?: string;
  /** The full sentence for screen readers ("5 of 7 days left"). */
  label: string;
}) {
  const remaining = fraction === null ? 1 : Math.min(1, Math.max(0, fraction));
  const circumference = 2 * Math.PI * 40;
  const tone = remaining === 0 ? "text-quiet" : remaining <= LOW_FRACTION ? "text-warn" : "text-ink";
  return (
    <div role="img" aria-label={label} className="clock-ring relative flex-none">
      <svg aria-hidden="true" viewBox="0 0 96 96" className="absolute inset-0 size-full -rotate-90">
        <circle cx="48" cy="48" r="40" fill="none" strokeWidth="6" className="stroke-hairline" />
        {remaining > 0 && (
          <circle
            cx="48"
            cy="48"
            r="40"
            fill="none"
            stroke="currentColor"
            strokeWidth="6"
            strokeLinecap={remaining < 1 ? "round" : "butt"}
            strokeDasharray={`${remaining * circumference} ${circumference}`}
            className={tone}
            // Mirrored, so that the gap starts at twelve o'clock and grows clockwise.
            transform="matrix(1 0 0 -1 0 96)"
          />
        )}
      </svg>
      <div aria-hidden="true" className="absolute inset-0 grid place-content-center text-center">
        <span className="figures text-21 leading-[1.1] font-semibold">{value}</span>
        {unit && <span className="text-13 leading-[1.15] text-quiet">{unit}</span>}
      </div>
    </div>
  );
}
