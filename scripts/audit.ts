import { parseArgs } from "node:util";
import { checkIntegrity } from "@/lib/staff/integrity/check-integrity";
import { runCommand } from "./command/run-command";
import { formatTable } from "./staff/command";

const USAGE = "Usage: npm run audit -- [--idle] [--json]";

/** Parses the arguments; undefined if they are invalid. */
function parse(args: string[]) {
  try {
    return parseArgs({ args, options: { idle: { type: "boolean" }, json: { type: "boolean" } } }).values;
  } catch {
    return undefined;
  }
}

/**
 * Audits the whole database (docs/reliability.md#audit). `--idle` adds the rules that hold only while nothing runs. Exit
 * codes: 0 every rule holds; 1 rows were found that break one; 2 wrong arguments.
 */
export async function runAudit(args: string[], out = console.log): Promise<number> {
  const options = parse(args);
  if (!options) {
    out(USAGE);
    return 2;
  }
  const results = await checkIntegrity({ whenIdle: options.idle });
  const broken = results.filter(({ rows }) => rows > 0);
  if (options.json) out(JSON.stringify(results, null, 2));
  else {
    out(
      formatTable(
        ["rows", "rule"],
        results.map(({ rule, rows }) => [`${rows}`, rule]),
        "",
      ),
    );
    for (const { rule, examples } of broken)
      out(`${rule}, for example:\n${examples.map((row) => `  ${JSON.stringify(row)}`).join("\n")}`);
    const outcome = broken.length > 0 ? `${broken.length} are broken` : "every one holds";
    out(`${results.length} rules: ${outcome}.`);
  }
  return broken.length > 0 ? 1 : 0;
}

await runCommand(import.meta.url, (args) => runAudit(args));
