import { fileURLToPath } from "node:url";
import { closeDatabase } from "@/db/client";
import { type CustodyProblem, verifyCustody } from "@/lib/delivery/custody/queries";
import { serializeError } from "@/lib/platform/serialize-error";
import { table } from "./staff-command";

/** More than anybody reads; the count is true all the same. */
const SHOWN = 200;

/** Checks the custody of every key. 0: all is in order. 1: a table says what is not. */
export async function runVerification(out = console.log, err = console.error): Promise<number> {
  try {
    const found: CustodyProblem[] = [];
    const report = await verifyCustody((problem) => {
      if (found.length < SHOWN) found.push(problem);
    });
    const rows = found.map(({ keyId, eventId, kind, message: what }) => [
      keyId,
      `${eventId ?? "–"}`,
      kind,
      what,
    ]);
    if (rows.length > 0) out(table(["key", "event", "problem", "what"], rows, ""));
    if (report.problems > SHOWN) out(`… and ${report.problems - SHOWN} more`);
    const { keys, events, sealed, problems } = report;
    out(
      `${keys} keys, ${events} events, ${sealed} of them sealed: ${problems === 0 ? "nothing is wrong." : `${problems} problems.`}`,
    );
    return problems === 0 ? 0 : 1;
  } catch (error) {
    err(`Stopped: ${serializeError(error).message}`);
    return 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await runVerification();
  } finally {
    await closeDatabase();
  }
}
