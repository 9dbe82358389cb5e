/** One line of the table of `npm run faults`: what must hold, how often it was tried, and how often it did not. */
export type Line = {
  invariant: string;
  /** What one trial is. */
  trial: string;
  trials: number;
  violations: string[];
  /** Milliseconds from the end of the trouble until all is as it should be, one for each measured healing. */
  heals: number[];
  seed: number;
  /** What the broken variant did, and that it was seen. */
  control?: string;
  seconds: number;
};

const at = (sorted: number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;
const time = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

export function healsOf(heals: number[]): string {
  if (heals.length === 0) return "–";
  const sorted = [...heals].sort((a, b) => a - b);
  return [at(sorted, 0.5), at(sorted, 0.95), at(sorted, 1)].map(time).join(" / ");
}

/** A line as the table shows it, with the day of its run. */
export type Row = {
  invariant: string;
  trial: string;
  trials: number;
  violations: number;
  heals: string;
  control: string;
  seed: string;
  day: string;
  seconds: number;
};

/** The table as Markdown; the terminal shows the same. */
export function tableOf(rows: Row[]): string {
  const head = [
    "Invariant",
    "Trial",
    "Trials",
    "Violations",
    "Heals p50 / p95 / max",
    "Broken variant",
    "Seed",
    "Day",
    "Took",
  ];
  const body = rows.map((row) => [
    row.invariant,
    row.trial,
    row.trials.toLocaleString("en"),
    String(row.violations),
    row.heals,
    row.control,
    row.seed,
    row.day,
    `${row.seconds.toFixed(0)} s`,
  ]);
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Runs one trial series and makes its line; what it throws is a violation. */
export async function lineOf(
  name: Pick<Line, "invariant" | "trial" | "seed">,
  run: (line: Line) => Promise<void>,
): Promise<Line> {
  const line: Line = { ...name, trials: 0, violations: [], heals: [], seconds: 0 };
  const began = performance.now();
  try {
    await run(line);
  } catch (error) {
    line.violations.push(
      error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : String(error),
    );
  }
  line.seconds = (performance.now() - began) / 1000;
  const bad = line.violations.length > 0 ? ` — ${line.violations.slice(0, 3).join("\n    ")}` : "";
  console.log(
    `${line.violations.length === 0 ? "✓" : "✗"} ${line.invariant}: n=${line.trials}, ${line.violations.length} violations, ` +
      `heals ${healsOf(line.heals)}, ${line.seconds.toFixed(1)} s, seed=${line.seed}${line.control ? `; ${line.control}` : ""}${bad}`,
  );
  return line;
}
