import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How calls ended, by `POST /cart/add`: the names of their refusals, or "200". */
export type Outcomes = Map<string, Set<string>>;
/** The errors that a call declares (`own`), and all that it may answer, with those common to its kind (`all`). */
export type DeclaredCall = {
  method: string;
  path: string;
  own: readonly string[];
  all: readonly string[];
};

/** Where the recorder writes: a line for each `POST /api/v1/cart/add sold_out`. */
export const outcomesFile = (dataDir: string) => join(dataDir, "api-outcomes.txt");

export function readOutcomes(file: string): Outcomes {
  const seen: Outcomes = new Map();
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  for (const line of text.split("\n").filter(Boolean)) {
    const [method, path, outcome = ""] = line.split(" ");
    const name = `${method} ${path?.replace("/api/v1", "")}`;
    seen.set(name, (seen.get(name) ?? new Set()).add(outcome));
  }
  return seen;
}

const hasRest = (path: string) => path.includes("[...");

/**
 * Errors that were answered without a declaration and, after all files, declared errors that no test reached: one sentence
 * each.
 */
export function findMismatches(
  seen: Outcomes,
  declared: DeclaredCall[],
  { afterAllFiles = true } = {},
): string[] {
  return declared.flatMap(({ method, path, own, all }) => {
    const form = new RegExp(
      `^${method} ${path.replace(/\[\.\.\.\w+\]/, ".+").replace(/\[\w+\]/g, "[^/]+")}$`,
    );
    const met = new Set([...seen].filter(([name]) => form.test(name)).flatMap(([, some]) => [...some]));
    // A catch-all route has no success, and its pattern matches the calls of other routes. An action that waits for a second
    // person succeeds in that person's decision.
    const expected = hasRest(path) || met.has("approval_required") ? own : ["200", ...own];
    const missing = expected.filter((name) => !met.has(name));
    const odd = hasRest(path) ? [] : [...met].filter((name) => name !== "200" && !all.includes(name));
    return [
      ...(afterAllFiles && missing.length > 0
        ? [`${method} ${path}: no test reaches ${missing.join(", ")}`]
        : []),
      ...(odd.length > 0 ? [`${method} ${path}: answered without being declared: ${odd.join(", ")}`] : []),
    ];
  });
}
