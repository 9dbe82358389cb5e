import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { healsOf, type Line, type Row, tableOf } from "./table";

const PATH = "tests/faults/record.json";
const DOC = "docs/faults.md";

/** The last full run of each part; parts may come from several runs, so each has its own day. */
type Kept = Row & { part: string };
type Run = { facts: string; parts: string[] };
type Record = { rows: Kept[]; runs: Run[] };

/** Puts the lines of a run in place of the same parts' earlier ones, and writes the table into docs/faults.md. */
export function record(lines: Map<string, Line>, facts: string, order: string[]): void {
  const before: Record = existsSync(PATH) ? JSON.parse(readFileSync(PATH, "utf8")) : { rows: [], runs: [] };
  const day = new Date().toISOString().slice(0, 10);
  const fresh = [...lines].map(([part, line]) => ({ part, ...rowOf(line, day) }));
  const at = ({ part }: Kept) => order.indexOf(part);
  const rows = [...before.rows.filter(({ part }) => !lines.has(part) && order.includes(part)), ...fresh].sort(
    (a, b) => at(a) - at(b),
  );
  const parts = [...lines.keys()];
  const runs = [
    ...before.runs
      .map((run) => ({ ...run, parts: run.parts.filter((part) => !lines.has(part)) }))
      .filter((run) => run.parts.length > 0),
    { facts, parts },
  ];
  writeFileSync(PATH, `${JSON.stringify({ rows, runs }, null, 2)}\n`);
  const [head = ""] = readFileSync(DOC, "utf8").split("<!-- table -->");
  const said = runs.map((run) => `- ${run.parts.join(", ")}: ${run.facts}`).join("\n");
  writeFileSync(DOC, `${head}<!-- table -->\n\n${tableOf(rows)}\n\nThe runs behind it:\n\n${said}\n`);
}

export function rowOf(line: Line, day: string): Row {
  const { invariant, trial, trials, violations, heals, control = "–", seed, seconds } = line;
  return {
    invariant,
    trial,
    trials,
    violations: violations.length,
    heals: healsOf(heals),
    control,
    seed,
    day,
    seconds,
  };
}
