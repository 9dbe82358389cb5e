import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { healsOf, type Line, type Row, tableOf } from "./table";

const PATH = "tests/faults/record.jsonl";
const DOC = "docs/faults.md";

/** What a part found in one run. A part may be made of several, with a seed each, and the parts come from several runs. */
type Piece = Omit<Line, "violations"> & { violations: number; day: string };
type Kept = { part: string; pieces: Piece[] };

/** Keeps a line, beside the part's earlier ones or in their place, and writes the table of all into docs/faults.md. */
export function record(part: string, line: Line, order: string[], add: boolean): void {
  const text = existsSync(PATH) ? readFileSync(PATH, "utf8") : "";
  const before = linesOf(text).map((one): Kept => JSON.parse(one));
  const pieces = new Map(before.map((entry) => [entry.part, entry.pieces]));
  const piece = { ...pieceOf(line), heals: line.heals.map(Math.round) };
  pieces.set(part, [...(add ? (pieces.get(part) ?? []) : []), piece]);
  const entries = order.flatMap((name) =>
    pieces.has(name) ? [{ part: name, pieces: pieces.get(name)! }] : [],
  );
  writeFileSync(PATH, entries.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const [head = ""] = readFileSync(DOC, "utf8").split("<!-- table -->");
  writeFileSync(DOC, `${head}<!-- table -->\n\n${tableOf(entries.map((one) => rowOf(one.pieces)))}\n`);
}

const linesOf = (text: string) => text.split("\n").filter(Boolean);

const pieceOf = (line: Line): Piece => ({
  ...line,
  violations: line.violations.length,
  day: new Date().toISOString().slice(0, 10),
});

/** The pieces of a part as one row: counts are added, times put together. */
export function rowOf(pieces: Piece[]): Row {
  const last = pieces.at(-1)!;
  const sum = (name: "trials" | "violations" | "seconds") =>
    pieces.reduce((all, piece) => all + piece[name], 0);
  const each = (of: (piece: Piece) => unknown) => [...new Set(pieces.map(of))].join(", ");
  return {
    invariant: last.invariant,
    trial: last.trial,
    trials: sum("trials"),
    violations: sum("violations"),
    heals: healsOf(pieces.flatMap((piece) => piece.heals)),
    control: last.control ?? "–",
    seed: each((piece) => piece.seed),
    day: each((piece) => piece.day),
    seconds: sum("seconds"),
  };
}

export const rowOfLine = (line: Line): Row => rowOf([pieceOf(line)]);
