import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { formatRecovery, type Row, renderTable, type TrialResult } from "./table";

const PATH = ".data/faults-record.jsonl";
const DOC = "docs/faults.md";

/** The result of a part in one run. `--add` gives a part several, each with its own seed. */
type RecordedResult = Omit<TrialResult, "violations"> & { violations: number; day: string };
type PartRecord = { part: string; results: RecordedResult[] };

/**
 * Stores a result, in addition to this folder's earlier ones of the part (`add`) or instead of them, and writes its row into
 * the table of docs/faults.md.
 */
export function recordResult(part: string, result: TrialResult, add: boolean): void {
  const text = existsSync(PATH) ? readFileSync(PATH, "utf8") : "";
  const records = new Map(
    splitLines(text).map((line): [string, RecordedResult[]] => {
      const { part, results }: PartRecord = JSON.parse(line);
      return [part, results];
    }),
  );
  const recorded = { ...toRecordedResult(result), recoveryMs: result.recoveryMs.map(Math.round) };
  const results = [...(add ? (records.get(part) ?? []) : []), recorded];
  records.set(part, results);
  const lines = [...records].map(([part, results]) => `${JSON.stringify({ part, results })}\n`);
  writeFileSync(PATH, lines.join(""));
  writeFileSync(DOC, withRow(readFileSync(DOC, "utf8"), mergeResults(results)));
}

/** The document with a row instead of the earlier one of the same trial; a new one at the end of the table. */
export function withRow(document: string, row: Row): string {
  const line = renderTable([row]).split("\n").at(-1)!;
  const [invariant, trial] = line.split(" | ");
  const lines = document.trimEnd().split("\n");
  const earlier = lines.findIndex((other) => other.startsWith(`${invariant} | ${trial} | `));
  if (earlier < 0) lines.push(line);
  else lines[earlier] = line;
  return `${lines.join("\n")}\n`;
}

const splitLines = (text: string) => text.split("\n").filter(Boolean);

const toRecordedResult = (result: TrialResult): RecordedResult => ({
  ...result,
  violations: result.violations.length,
  day: new Date().toISOString().slice(0, 10),
});

/** The results of a part as one row: counts are summed, recovery times combined. */
export function mergeResults(results: RecordedResult[]): Row {
  const last = results.at(-1)!;
  const sum = (name: "trials" | "violations") => results.reduce((total, result) => total + result[name], 0);
  return {
    invariant: last.invariant,
    trial: last.trial,
    trials: sum("trials"),
    violations: sum("violations"),
    recovery: formatRecovery(results.flatMap((result) => result.recoveryMs)),
    brokenVariant: last.brokenVariant ?? "–",
    day: [...new Set(results.map(({ day }) => day))].join(", "),
  };
}

export const toRow = (result: TrialResult): Row => mergeResults([toRecordedResult(result)]);
