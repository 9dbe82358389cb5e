import type { ReactNode } from "react";
import { chartTicks, MAX_POINTS } from "./chart-scale";

/** A value at a label, such as a day; null: there is none. */
export type ChartPoint = { label: string; value: number | null };

export type ChartProps = {
  title: string;
  /** the figure of the whole time, such as a sum */
  total?: string;
  /** in the order of the horizontal axis; of more than MAX_POINTS the last ones are shown */
  points: readonly ChartPoint[];
  format: (value: number) => string;
  /** The values are counts or cents. */
  whole?: boolean;
  /** Names of the table and its columns, and the text for a missing value. */
  labels: { table: string; label: string; value: string; none: string };
};

/** What a drawing needs: coordinates from 0 to 100, the vertical one from the top. */
export type Drawing = { points: readonly ChartPoint[]; width: number; y: (value: number) => number };

/**
 * A chart drawn by the server: title and total, the drawing with its scale, and the values as a table, which is the text
 * of the drawing for screen readers. The drawing is stretched, and its labels are text beside it, so that they keep their size.
 */
export function ChartFigure({
  title,
  total,
  points: all,
  format,
  whole,
  labels,
  draw,
}: ChartProps & { draw: (drawing: Drawing) => ReactNode }) {
  const points = all.slice(-MAX_POINTS);
  const ticks = chartTicks(
    points.map(({ value }) => value),
    { whole },
  );
  const top = ticks.at(-1)!;
  const width = 100 / Math.max(1, points.length);
  const text = ({ value }: ChartPoint) => (value === null ? labels.none : format(value));
  const named = [points[0], points[Math.floor((points.length - 1) / 2)], points.at(-1)].filter(
    (point, i, chosen) => point && chosen.indexOf(point) === i,
  );
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{title}</span>
        {total && <span className="figures text-21 font-semibold">{total}</span>}
      </figcaption>
      <div aria-hidden="true" className="figures flex gap-2 text-13 text-quiet">
        <ul className="-my-2.5 flex h-45 flex-col-reverse justify-between text-right">
          {ticks.map((tick) => (
            <li key={tick}>{format(tick)}</li>
          ))}
        </ul>
        <div className="min-w-0 flex-1">
          <svg
            aria-hidden="true"
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className="block h-40 w-full overflow-visible"
          >
            {ticks.map((tick) => (
              <path
                key={tick}
                d={`M0 ${100 - (tick / top) * 100}H100`}
                className="stroke-hairline"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {draw({ points, width, y: (value) => 100 - (value / top) * 100 })}
            {points.map((point, i) => (
              <rect key={point.label} x={i * width} width={width} height="100" fill="transparent">
                <title>{`${point.label}: ${text(point)}`}</title>
              </rect>
            ))}
          </svg>
          <ul className="flex justify-between gap-3 pt-2 whitespace-nowrap">
            {named.map((point) => (
              <li key={point?.label}>{point?.label}</li>
            ))}
          </ul>
        </div>
      </div>
      <details className="text-13">
        <summary className="text-link flex min-h-11 w-fit cursor-pointer items-center">
          {labels.table}
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section aria-label={title} tabIndex={0} className="max-h-80 overflow-y-auto">
          <table className="w-full">
            <thead>
              <tr className="border-b border-hairline text-quiet">
                <th scope="col" className="py-1.5 text-left font-normal">
                  {labels.label}
                </th>
                <th scope="col" className="py-1.5 text-right font-normal">
                  {labels.value}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map((point) => (
                <tr key={point.label} className="border-b border-hairline">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    {point.label}
                  </th>
                  <td className="figures py-1.5 text-right">{text(point)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
