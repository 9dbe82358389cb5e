import { userInfo } from "node:os";
import { errorMessage } from "@/lib/platform/error-messages";
import { isShopError } from "@/lib/platform/errors";
import { isWholeCents, toCents } from "@/lib/platform/money";
import { parseTypedNumber } from "@/lib/platform/typed-number";

/** Whether a verb needs the value of an option. */
export type StaffOption = "optional" | "required";

export type StaffCall = {
  /** The argument; empty if the verb takes none. */
  id: string;
  /** The trimmed values of the options. */
  values: Record<string, string>;
  /** The acting user for the audit log: `staff:` and the operating system user. */
  actor: string;
};

/** The output of a command: as text, and with `--json` as JSON. */
export type StaffOutput = { text: string; json: unknown };

export type StaffVerb = {
  /** The argument and options after the verb, e.g. `ID --note "…"`. A verb takes an argument if this starts with a letter. */
  usage: string;
  description: string;
  options?: Record<string, StaffOption>;
  run(call: StaffCall): Promise<StaffOutput>;
};

/** The verbs of a noun. Each noun is a file scripts/staff/<noun>.ts and a line in scripts/staff.ts. */
export type StaffNoun = Record<string, StaffVerb>;

/** Why nothing was done, as a sentence. The exit code is 1. */
export class StaffCommandError extends Error {
  override name = "StaffProblem";
}

/** The operating system user who runs the command. */
export function operator(): string {
  try {
    return `staff:${userInfo().username}`;
  } catch {
    return `staff:uid-${process.getuid?.() ?? "unknown"}`; // a container's user may have no name
  }
}

const MAX_DOLLARS = 1_000_000;

/** The cents of an option with an amount in dollars. */
export function parseDollars(typed: string): number {
  const dollars = parseTypedNumber(typed);
  if (!isWholeCents(dollars))
    throw new StaffCommandError(
      `"${typed}" is not an amount in dollars: write 0 or more, such as 12 or 12.50.`,
    );
  if (dollars > MAX_DOLLARS)
    throw new StaffCommandError(`${typed} is too much: ${MAX_DOLLARS} dollars is the most.`);
  return toCents(dollars);
}

/** "2026-11-21 07:30", in UTC. */
export const formatTime = (when: Date | string | null) =>
  when ? new Date(when).toISOString().slice(0, 16).replace("T", " ") : "";

const FULL_WIDTH =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;
const displayWidth = (text: string) =>
  [...text].reduce((sum, letter) => sum + (FULL_WIDTH.test(letter) ? 2 : 1), 0);

/** Makes text of other users a single line without control characters. */
export const toPlainLine = (text: string) => text.replace(CONTROL, " ").trim();

/** Rows in aligned columns under their headings; `emptyText` if there are no rows. */
export function formatTable(headings: string[], rows: string[][], emptyText: string): string {
  if (rows.length === 0) return emptyText;
  const lines = [headings, ...rows].map((row) => row.map(toPlainLine));
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => displayWidth(line[column] ?? ""))),
  );
  const pad = (text: string, column: number) =>
    text + " ".repeat(Math.max(0, widths[column]! - displayWidth(text)));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

/** The option of a decision: the version of what was listed. Without it the decision is refused. */
export const SEEN = { version: "optional" } as const;

/** Says why a decision was refused: what was decided about was rewritten since it was listed, for instance. */
export function refusedDecision(error: unknown): never {
  throw isShopError(error) ? new StaffCommandError(errorMessage(error.error, "en")) : error;
}

/** A verb that lists rows. `columns`: the text of a row's cell by its heading. */
export function listVerb<Row>({
  description,
  find,
  columns,
  emptyText,
}: Pick<StaffVerb, "description"> & {
  find(): Promise<Row[]>;
  columns: Record<string, (row: Row) => string>;
  emptyText: string;
}): StaffVerb {
  return {
    usage: "",
    description,
    async run() {
      const found = await find();
      const rows = found.map((row) => Object.values(columns).map((cell) => cell(row)));
      return { text: formatTable(Object.keys(columns), rows, emptyText), json: found };
    },
  };
}
