import { ChartFigure, type ChartProps, type Drawing } from "./chart-figure";

const round = (value: number) => Math.round(value * 100) / 100;

/** A path through the points; a missing value interrupts it, and a value between two missing ones is a dot. */
function linePath({ points, width, y }: Drawing): string {
  return points
    .map(({ value }, i) => {
      if (value === null) return "";
      const follows = points[i - 1] && points[i - 1]!.value !== null;
      const place = `${round((i + 0.5) * width)} ${round(y(value))}`;
      const alone = !follows && (points[i + 1]?.value ?? null) === null;
      return `${follows ? "L" : "M"}${place}${alone ? "h0" : ""}`;
    })
    .join("");
}

/** A line over time, for shares and durations. */
export function LineChart(props: ChartProps) {
  return (
    <ChartFigure
      {...props}
      draw={(drawing) => (
        <path
          d={linePath(drawing)}
          fill="none"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-ink"
          vectorEffect="non-scaling-stroke"
        />
      )}
    />
  );
}
