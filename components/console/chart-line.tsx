import { ChartFigure, type ChartProps, type Drawing } from "./chart-figure";

const round = (value: number) => Math.round(value * 100) / 100;

/** The line through the points, which a missing value interrupts, and the dots of values between two missing ones. */
function linePaths({ points, width, y }: Drawing) {
  let line = "";
  let dots = "";
  for (const [i, { value }] of points.entries()) {
    if (value === null) continue;
    const place = `${round((i + 0.5) * width)} ${round(y(value))}`;
    const [before, after] = [points[i - 1]?.value ?? null, points[i + 1]?.value ?? null];
    if (before === null && after === null) dots += `M${place}h0`;
    else line += `${before === null ? "M" : "L"}${place}`;
  }
  return [
    { d: line, strokeWidth: 2 },
    { d: dots, strokeWidth: 6 },
  ].filter(({ d }) => d !== "");
}

/** A line over time, for shares and durations. */
export function LineChart(props: ChartProps) {
  return (
    <ChartFigure
      {...props}
      draw={(drawing) =>
        linePaths(drawing).map((path) => (
          <path
            key={path.strokeWidth}
            {...path}
            fill="none"
            strokeLinecap="round"
            strokeLinejoin="round"
            className="stroke-ink"
            vectorEffect="non-scaling-stroke"
          />
        ))
      }
    />
  );
}
