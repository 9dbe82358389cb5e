import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { formatRecovery, type Row, renderTable, type TrialResult } from "./table";

const PATH = "tests/faults/record.jsonl";
const DOC = "docs/faults.md";

/** The result of a part in one run. `--add` gives a part several, each with its own seed. */
type RecordedResult = Omit<TrialResult, "violations"> & { violations: number; day: string };
type PartRecord = { part: string; results: RecordedResult[] };

/** Stores a result, in addition to the part's earlier ones (`add`) or instead of them, and updates the table of docs/faults.md. */
export function recordResult(part: string, result: TrialResult, partNames: string[], add: boolean): void {
  const text = existsSync(PATH) ? readFileSync(PATH, "utf8") : "";
  const records = splitLines(text).map((line): PartRecord => JSON.parse(line));
  const byPart = new Map(records.map((entry) => [entry.part, entry.results]));
  const recorded = { ...toRecordedResult(result), recoveryMs: result.recoveryMs.map(Math.round) };
  byPart.set(part, [...(add ? (byPart.get(part) ?? []) : []), recorded]);
  const entries = partNames.flatMap((name) =>
    byPart.has(name) ? [{ part: name, results: byPart.get(name)! }] : [],
  );
  writeFileSync(PATH, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  const [introduction = ""] = readFileSync(DOC, "utf8").split("<!-- table -->");
  writeFileSync(
    DOC,
    `${introduction}<!-- table -->\n\n${renderTable(entries.map((entry) => mergeResults(entry.results)))}\n`,
  );
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
  const sum = (name: "trials" | "violations" | "seconds") =>
    results.reduce((total, result) => total + result[name], 0);
  const distinct = (get: (result: RecordedResult) => unknown) => [...new Set(results.map(get))].join(", ");
  return {
    invariant: last.invariant,
    trial: last.trial,
    trials: sum("trials"),
    violations: sum("violations"),
    recovery: formatRecovery(results.flatMap((result) => result.recoveryMs)),
    brokenVariant: last.brokenVariant ?? "–",
    seed: distinct((result) => result.seed),
    day: distinct((result) => result.day),
    seconds: sum("seconds"),
  };
}

export const toRow = (result: TrialResult): Row => mergeResults([toRecordedResult(result)]);
