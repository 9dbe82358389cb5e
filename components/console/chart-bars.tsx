import { ChartFigure, type ChartProps } from "./chart-figure";

/** The share of a point's width that its bar takes. */
const BAR = 0.7;
const round = (value: number) => Math.round(value * 100) / 100;

/** Bars over time, for money and counts. */
export function BarChart(props: ChartProps) {
  return (
    <ChartFigure
      {...props}
      draw={({ points, width, y }) => (
        <path
          className="fill-ink"
          d={points
            .map(({ value }, i) =>
              value
                ? `M${round((i + (1 - BAR) / 2) * width)} 100V${round(y(value))}h${round(width * BAR)}V100Z`
                : "",
            )
            .join("")}
        />
      )}
    />
  );
}
