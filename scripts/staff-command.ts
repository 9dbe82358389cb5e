import { userInfo } from "node:os";

/** An option with a value, or without one; an option in `needs` of its verb must be given. */
export type StaffOption = { type: "string" | "boolean" };

export type StaffCall = {
  args: string[];
  options: Record<string, string | boolean | undefined>;
  /** Who acts, for the audit log: `staff:` and the user of the operating system. */
  by: string;
};

/** What a command says: to a person, and with `--json` to a program. */
export type StaffAnswer = { text: string; json: unknown };

export type StaffVerb = {
  /** What follows the verb, e.g. `ID --note "…"`. */
  usage: string;
  what: string;
  /** How many arguments it takes. */
  args: number;
  options?: Record<string, StaffOption>;
  /** Options without which it does nothing. */
  needs?: string[];
  run(call: StaffCall): Promise<StaffAnswer>;
};

/** The verbs of one noun: each noun is a file scripts/staff-<noun>.ts and a line in scripts/staff.ts. */
export type StaffNoun = Record<string, StaffVerb>;

/** Why nothing was done, in one sentence; the command ends with 1. */
export class StaffCommandError extends Error {
  override name = "StaffProblem";
}

/** The user of the operating system who runs the command. */
export function operator(): string {
  try {
    return `staff:${userInfo().username}`;
  } catch {
    return `staff:uid-${process.getuid?.() ?? "unknown"}`; // a container's user may have no name
  }
}

/** An option's text; empty when it is not given. */
export const textOf = (value: string | boolean | undefined) =>
  typeof value === "string" ? value.trim() : "";

/** "2026-11-21 07:30", in UTC. */
export const moment = (when: Date | string | null) =>
  when ? new Date(when).toISOString().slice(0, 16).replace("T", " ") : "";

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? 2 : 1), 0);

/** What strangers wrote, as one line that cannot steer the terminal. */
export const plain = (text: string) => text.replace(CONTROL, " ").trim();

/** Rows under their headings, in aligned columns; `nothing` when there are none. */
export function table(headings: string[], rows: string[][], nothing: string): string {
  if (rows.length === 0) return nothing;
  const lines = [headings, ...rows].map((row) => row.map(plain));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  const pad = (text: string, column: number) =>
    text + " ".repeat(Math.max(0, widths[column]! - widthOf(text)));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

/** One thing with its names and values, a line each. */
export const sheet = (rows: [name: string, value: string][]) =>
  table(
    ["", ""],
    rows.filter(([, value]) => value !== ""),
    "",
  ).trimStart();
