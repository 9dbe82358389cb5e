import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { BarChart } from "@/components/console/chart-bars";
import type { ChartPoint } from "@/components/console/chart-figure";
import { LineChart } from "@/components/console/chart-line";
import { chartTicks } from "@/components/console/chart-scale";

const labels = { table: "Show as table", label: "Day", value: "Orders", none: "None" };
const toPoints = (values: (number | null)[]): ChartPoint[] =>
  values.map((value, i) => ({ label: `day ${i + 1}`, value }));
const render = (Chart: typeof LineChart, values: (number | null)[]) =>
  renderToStaticMarkup(
    <Chart title="Orders" total="7" points={toPoints(values)} format={String} labels={labels} whole />,
  );

describe("the scale of a chart", () => {
  it("has four round intervals from zero to at least the highest value", () => {
    expect(chartTicks([3, 17, null])).toEqual([0, 5, 10, 15, 20]);
    expect(chartTicks([8])).toEqual([0, 2, 4, 6, 8]);
    expect(chartTicks([0.031])).toEqual([0, 0.01, 0.02, 0.03, 0.04]);
    expect(chartTicks([123_456])).toEqual([0, 50_000, 100_000, 150_000, 200_000]);
    expect(chartTicks([])).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });

  it("of counts has whole numbers", () => {
    expect(chartTicks([0, 1], { whole: true })).toEqual([0, 1, 2, 3, 4]);
    expect(chartTicks([10], { whole: true })).toEqual([0, 3, 6, 9, 12]);
  });

  it("contains every value, for 500 random ones", () => {
    for (let n = 0; n < 500; n += 1) {
      const value = Math.exp(Math.random() * 30 - 8);
      const ticks = chartTicks([value]);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(value * (1 - 1e-9));
      expect(ticks.at(-1)).toBeLessThan(value * 2.6);
    }
  });
});

describe("a chart", () => {
  it("draws bars from the bottom, but none for zero or a missing value", () => {
    expect(render(BarChart, [2, 0, null, 4])).toContain('d="M3.75 100V50h17.5V100ZM78.75 100V0h17.5V100Z"');
  });

  it("draws a line that missing values interrupt, and a dot for a value alone", () => {
    const html = render(LineChart, [4, 2, null, 1, null]);
    expect(html).toContain('d="M10 0L30 50" stroke-width="2"');
    expect(html).toContain('d="M70 75h0" stroke-width="6"');
  });

  it("lists every value in a table, newest first", () => {
    const html = render(LineChart, [1, null, 3]);
    const rows = [...html.matchAll(/<th scope="row"[^>]*>([^<]+)<\/th><td[^>]*>([^<]+)</g)];
    expect(rows.map(([, day, value]) => [day, value])).toEqual([
      ["day 3", "3"],
      ["day 2", "None"],
      ["day 1", "1"],
    ]);
    expect(html).toContain("<title>day 2: None</title>");
  });

  it("shows the last 400 points at most, and only its frame without points", () => {
    const html = render(
      BarChart,
      Array.from({ length: 500 }, (_, i) => i),
    );
    expect(html.match(/<rect/g)).toHaveLength(400);
    expect(html).not.toContain("day 100<");
    expect(render(LineChart, [])).not.toMatch(/<rect|NaN|Infinity/);
  });
});
