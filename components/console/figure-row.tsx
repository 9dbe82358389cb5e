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
      <ul className="grid grid-cols-2 overflow-hidden rounded-control border border-hairline bg-raised min-[900px]:flex">
        {figures.map(({ name, value, change, days, children }) => (
          <li
            key={name}
            className="-mr-px -mb-px min-w-0 flex-1 border-r border-b border-hairline px-4 py-2.5"
          >
            <p className="truncate text-13 text-quiet" title={name}>
              {name}
            </p>
            <p className="flex items-end justify-between gap-3">
              <span className="figures text-21 font-semibold whitespace-nowrap">{value}</span>
              {days && (
                <span className="max-w-24 min-w-8 flex-1 max-[899px]:hidden">
                  <Sparkline values={days} />
                </span>
              )}
            </p>
            {change && <p className="figures text-13 text-quiet">{change}</p>}
            {children}
          </li>
        ))}
      </ul>
    </section>
  );
}
