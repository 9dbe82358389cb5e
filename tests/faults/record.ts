import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { healsOf, type Line, type Row, tableOf } from "./table";

const PATH = "tests/faults/record.json";
const DOC = "docs/faults.md";

/** What a part found in one run. A part may be made of several, with a seed each, and the parts come from several runs. */
type Piece = Omit<Line, "violations"> & { violations: number; day: string; place: string };
type Record = { part: string; pieces: Piece[] }[];

export type Recording = {
  lines: Map<string, Line>;
  /** Of what the stand was made, and how large the run was. */
  place: string;
  /** All parts there are, in the table's order. */
  order: string[];
  /** Beside the parts' earlier pieces instead of in their place. */
  add: boolean;
};

export const today = () => new Date().toISOString().slice(0, 10);

/** Keeps the lines of a run, and writes the table of all that is kept into docs/faults.md. */
export function record({ lines, place, order, add }: Recording): void {
  const before: Record = existsSync(PATH) ? JSON.parse(readFileSync(PATH, "utf8")) : [];
  const pieces = new Map(before.map((kept) => [kept.part, kept.pieces]));
  for (const [part, line] of lines) {
    const piece = { ...line, heals: line.heals.map(Math.round), violations: line.violations.length };
    const earlier = add ? (pieces.get(part) ?? []) : [];
    pieces.set(part, [...earlier, { ...piece, day: today(), place }]);
  }
  const kept = order.flatMap((part) => (pieces.has(part) ? [{ part, pieces: pieces.get(part)! }] : []));
  const lineOf = (one: object) => `  ${JSON.stringify(one)}`;
  writeFileSync(PATH, `[\n${kept.map(lineOf).join(",\n")}\n]\n`);
  const [head = ""] = readFileSync(DOC, "utf8").split("<!-- table -->");
  const places = [...new Set(kept.flatMap((one) => one.pieces.map((piece) => piece.place)))];
  const table = tableOf(kept.map((one) => rowOf(one.pieces)));
  writeFileSync(DOC, `${head}<!-- table -->\n\n${table}\n\nStand: ${places.join("; ")}.\n`);
}

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

export const rowOfLine = (line: Line): Row =>
  rowOf([{ ...line, violations: line.violations.length, day: today(), place: "" }]);
