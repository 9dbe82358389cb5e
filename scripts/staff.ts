import { parseArgs } from "node:util";
import { db } from "@/db/client";
import { hasCode } from "@/lib/delivery/code-text/find-codes";
import { serializeError } from "@/lib/platform/serialize-error";
import { runCommand } from "./command/run-command";
import { operator, StaffCommandError, type StaffNoun, type StaffVerb } from "./staff/command";
import { jobs } from "./staff/jobs";
import { payments } from "./staff/payments";
import { people } from "./staff/people";
import { shop } from "./staff/shop";
import { stock } from "./staff/stock";

/** The commands of staff. */
const NOUNS: Record<string, StaffNoun> = {
  jobs,
  payments,
  people,
  shop,
  stock,
};

/** The usage of all commands, or of those of one noun. */
function usage(noun?: string): string {
  const lines = Object.entries(NOUNS)
    .filter(([name]) => !noun || name === noun)
    .flatMap(([name, verbs]) =>
      Object.entries(verbs).map(
        ([verb, command]) => [`${name} ${verb} ${command.usage}`.trim(), command.description] as const,
      ),
    );
  const width = Math.max(...lines.map(([call]) => call.length));
  const listed = lines.map(([call, what]) => `  ${call.padEnd(width)}  ${what}`);
  return ["Usage: npm run staff -- COMMAND [--json]", ...listed].join("\n");
}

/** Parses the options and arguments of a verb. Returns a sentence if they are invalid. */
function parseCall({ usage, options: declared = {} }: StaffVerb, args: string[]) {
  const options = Object.fromEntries(
    [...Object.keys(declared), "json"].map((name) => [
      name,
      { type: name === "json" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    const parsed = parseArgs({ args: withDashes(args, options), options, allowPositionals: true });
    const { positionals } = parsed;
    const takesId = /^[A-Z]/.test(usage);
    if (positionals.length !== (takesId ? 1 : 0))
      return takesId ? "Name exactly one id." : "It takes no argument.";
    const values: Record<string, string> = {};
    for (const [name, value] of Object.entries(parsed.values))
      if (typeof value === "string") values[name] = value.trim();
    const missing = Object.keys(declared).find((name) => declared[name] === "required" && !values[name]);
    return missing
      ? `--${missing} "…" is needed.`
      : { id: positionals[0] ?? "", values, asJson: parsed.values.json === true };
  } catch (error) {
    return describeParseError(error);
  }
}

/**
 * Joins a value that starts with a dash to the option before it: "--dollars -3" is an invalid amount, not an option.
 */
function withDashes(args: string[], options: Record<string, { type: string }>): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const name = joined.at(-1)?.match(/^--([^=]+)$/)?.[1];
    const isValue = name && options[name]?.type === "string" && word.startsWith("-");
    const isOption = word.startsWith("--") && word.slice(2).split("=")[0]! in options;
    if (isValue && !isOption) joined.push(`${joined.pop()}=${word}`);
    else joined.push(word);
  }
  return joined;
}

/** A reason stays in the audit log and is read by others. */
const HAS_CODE = "The text contains an activation code. Remove it; codes are named by their reference.";

/** Node's error about options as one sentence, without its advice. */
function describeParseError(error: unknown): string {
  const { code, message } = error as Error & { code?: string };
  const [option = "It"] = /--?[\w-]+/.exec(message) ?? [];
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return `There is no option ${option}.`;
  return message.includes("does not take") ? `${option} takes no value.` : `${option} needs a value.`;
}

/** Converts the database's times ("2026-11-21 07:48:22.12+00") to ISO 8601 for `--json`. */
const isoMoments = (_: string, value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/.test(value)
    ? new Date(value).toISOString()
    : value;

type Streams = { out(text: string): void; err(text: string): void };

/** Runs a command line. Exit codes: 0 done, or done before; 1 not done, with the reason; 2 invalid command. */
export async function runStaff(
  [noun, name, ...args]: string[],
  { out, err }: Streams = { out: console.log, err: console.error },
): Promise<number> {
  if (noun === "--help" || noun === "help") {
    out(usage());
    return 0;
  }
  const verbs = noun && Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined;
  const verb = verbs && name && Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!verb) {
    err(usage(verbs && noun));
    return 2;
  }
  const call = parseCall(verb, args);
  if (typeof call === "string") {
    err(`${call}\nUsage: npm run staff -- ${`${noun} ${name} ${verb.usage}`.trim()} [--json]`);
    return 2;
  }
  try {
    if (await hasCode(db, call.values.reason ?? "")) throw new StaffCommandError(HAS_CODE);
    const { asJson, ...given } = call;
    const { text, json } = await verb.run({ ...given, actor: operator() });
    out(asJson ? JSON.stringify(json, isoMoments, 2) : text);
    return 0;
  } catch (error) {
    err(error instanceof StaffCommandError ? error.message : `Stopped: ${serializeError(error).message}`);
    return 1;
  }
}

await runCommand(import.meta.url, runStaff);
