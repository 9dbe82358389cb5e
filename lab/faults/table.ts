/** The result of one trial series of `npm run faults`: the invariant, the number of trials and the violations. */
export type TrialResult = {
  invariant: string;
  /** Description of one trial. */
  trial: string;
  trials: number;
  violations: string[];
  /** Milliseconds from the end of a fault until the audit passes, one for each measured recovery. */
  recoveryMs: number[];
  seed: number;
  /** What the broken variant did and that it was detected, or another remark. */
  brokenVariant?: string;
  seconds: number;
};

const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
const formatDuration = (ms: number) => (ms < 1000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`);

export function formatRecovery(recoveryMs: number[]): string {
  if (recoveryMs.length === 0) return "–";
  const sorted = [...recoveryMs].sort((a, b) => a - b);
  return [percentile(sorted, 0.5), percentile(sorted, 0.95), percentile(sorted, 1)]
    .map(formatDuration)
    .join("/");
}

/** A row of the table. */
export type Row = {
  invariant: string;
  trial: string;
  trials: number;
  violations: number;
  recovery: string;
  brokenVariant: string;
  day: string;
};

/** The table as Markdown; the terminal shows the same. */
export function renderTable(rows: Row[]): string {
  const header = ["Invariant", "Trial", "Trials", "Recovery p50/p95/max", "Broken variant, remarks", "Day"];
  const body = rows.map((row) => [
    row.invariant,
    row.trial,
    row.trials.toLocaleString("en") + (row.violations > 0 ? `, **${row.violations} violations**` : ""),
    row.recovery,
    row.brokenVariant,
    row.day,
  ]);
  return [header, header.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Runs one trial series, prints its result and returns it. An error that it throws counts as a violation. */
export async function runTrial(
  name: Pick<TrialResult, "invariant" | "trial" | "seed">,
  run: (result: TrialResult) => Promise<void>,
): Promise<TrialResult> {
  const result: TrialResult = { ...name, trials: 0, violations: [], recoveryMs: [], seconds: 0 };
  const start = performance.now();
  try {
    await run(result);
  } catch (error) {
    result.violations.push(
      error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : String(error),
    );
  }
  result.seconds = (performance.now() - start) / 1000;
  const details = result.violations.length > 0 ? ` — ${result.violations.slice(0, 3).join("\n    ")}` : "";
  console.log(
    `${result.violations.length === 0 ? "✓" : "✗"} ${result.invariant}: n=${result.trials}, ${result.violations.length} violations, ` +
      `recovery ${formatRecovery(result.recoveryMs)}, ${result.seconds.toFixed(1)} s, seed=${result.seed}${result.brokenVariant ? `; ${result.brokenVariant}` : ""}${details}`,
  );
  return result;
}
