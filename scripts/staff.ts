import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { closeDatabase } from "@/db/client";
import { serializeError } from "@/lib/platform/serialize-error";
import { applications } from "./staff-applications";
import {
  operator,
  optionText,
  StaffCommandError,
  type StaffNoun,
  type StaffOption,
  type StaffVerb,
} from "./staff-command";
import { refunds } from "./staff-refunds";
import { replacements } from "./staff-replacements";
import { reviews } from "./staff-reviews";
import { vouchers } from "./staff-vouchers";

/** What staff can do from a terminal until they have a console. */
const NOUNS: Record<string, StaffNoun> = { applications, reviews, refunds, replacements, vouchers };

/** How it is called; of one noun when it is known. */
function usage(noun?: string): string {
  const lines = Object.entries(NOUNS)
    .filter(([name]) => !noun || name === noun)
    .flatMap(([name, verbs]) =>
      Object.entries(verbs).map(
        ([verb, one]) => [`${name} ${verb} ${one.usage}`.trim(), one.description] as const,
      ),
    );
  const width = Math.max(...lines.map(([call]) => call.length));
  const listed = lines.map(([call, what]) => `  ${call.padEnd(width)}  ${what}`);
  return ["Usage: npm run staff -- COMMAND [--json]", ...listed].join("\n");
}

/** The options and arguments of a verb; a sentence when they do not fit it. */
function understood(verb: StaffVerb, given: string[]) {
  const options = { ...verb.options, json: { type: "boolean" as const } };
  try {
    const parsed = parseArgs({
      args: withDashes(given, options),
      options,
      allowPositionals: true,
    });
    const { positionals } = parsed;
    const values: Record<string, string | boolean | undefined> = parsed.values;
    if (positionals.length !== verb.args)
      return verb.args === 0 ? "It takes no argument." : "Name exactly one id.";
    const missing = verb.required?.find((name) => !optionText(values[name]));
    return missing ? `--${missing} "…" is needed.` : { args: positionals, options: values };
  } catch (error) {
    return misfit(error);
  }
}

/** A value that begins with a dash belongs to the option before it: "--dollars -3" is a wrong amount, not an option. */
function withDashes(given: string[], options: Record<string, StaffOption>): string[] {
  const taken: string[] = [];
  for (const word of given) {
    const name = taken.at(-1)?.match(/^--([^=]+)$/)?.[1];
    const isValue = name && options[name]?.type === "string" && word.startsWith("-");
    const isOption = word.startsWith("--") && word.slice(2).split("=")[0]! in options;
    if (isValue && !isOption) taken.push(`${taken.pop()}=${word}`);
    else taken.push(word);
  }
  return taken;
}

/** What node says of options that do not fit, as one sentence without its advice. */
function misfit(error: unknown): string {
  const { code, message } = error as Error & { code?: string };
  const [option = "It"] = /--?[\w-]+/.exec(message) ?? [];
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return `There is no option ${option}.`;
  return message.includes("does not take") ? `${option} takes no value.` : `${option} needs a value.`;
}

/** The database writes "2026-11-21 07:48:22.12+00"; programs get "2026-11-21T07:48:22.120Z". */
const isoMoments = (_: string, value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/.test(value)
    ? new Date(value).toISOString()
    : value;

type Streams = { out(text: string): void; err(text: string): void };

/** Runs one command line. 0: done, or so already. 1: not done, the sentence says why. 2: not understood. */
export async function runStaff(
  [noun, name, ...given]: string[],
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
  const call = understood(verb, given);
  if (typeof call === "string") {
    err(`${call}\nUsage: npm run staff -- ${`${noun} ${name} ${verb.usage}`.trim()} [--json]`);
    return 2;
  }
  try {
    const { text, json } = await verb.run({ ...call, actor: operator() });
    out(call.options.json ? JSON.stringify(json, isoMoments, 2) : text);
    return 0;
  } catch (error) {
    err(error instanceof StaffCommandError ? error.message : `Stopped: ${serializeError(error).message}`);
    return 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await runStaff(process.argv.slice(2));
  } finally {
    await closeDatabase();
  }
}
