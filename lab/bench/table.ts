/** One line of the table of `npm run bench`. */
export type BenchLine = {
  subject: string;
  ours: string;
  yardstick: string;
  /** This server's rate divided by the yardstick's: median over alternating rounds. */
  ratio?: number;
  bar: string;
  /** null: no bar. */
  holds: boolean | null;
};

/** The table as Markdown. */
export function benchTable(lines: BenchLine[]): string {
  const head = ["What", "Ours", "Yardstick", "Ratio", "Bar", "Holds"];
  const rows = lines.map(({ subject, ours, yardstick, ratio, bar, holds }) => [
    subject,
    ours,
    yardstick,
    ratio === undefined ? "–" : ratio.toFixed(2),
    bar,
    holds === null ? "–" : holds ? "yes" : "**no**",
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The median; for an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}
