import type { ReactNode } from "react";
import { Sparkline } from "./sparkline";

export type ShownFigure = {
  name: string;
  value: string;
  /** the change against the time before, in words */
  change: string | null;
  days?: readonly (number | null)[];
  children?: ReactNode;
};

/** Figures in one row, each against the time before, with its shape. */
export function FigureRow({ label, figures }: { label: string; figures: readonly ShownFigure[] }) {
  return (
    <section aria-label={label} className="pb-5">
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(10.5rem,1fr))] gap-px overflow-hidden rounded-control border border-hairline bg-hairline">
        {figures.map(({ name, value, change, days, children }) => (
          <li key={name} className="bg-raised px-4 py-2.5">
            <p className="truncate text-13 text-quiet">{name}</p>
            <p className="flex items-end justify-between gap-3">
              <span className="figures text-21 font-semibold whitespace-nowrap">{value}</span>
              {days && <Sparkline values={days} />}
            </p>
            {change && <p className="figures text-13 text-quiet">{change}</p>}
            {children}
          </li>
        ))}
      </ul>
    </section>
  );
}
