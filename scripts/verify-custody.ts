import { fileURLToPath } from "node:url";
import { closeDatabase } from "@/db/client";
import { type CustodyProblem, verifyCustody } from "@/lib/delivery/custody/queries";
import { serializeError } from "@/lib/platform/serialize-error";
import { formatTable } from "./staff-command";

/** The number of problems that are printed. All are counted. */
const MAX_PRINTED = 200;

/** Verifies the custody events of every key. Exit codes: 0 no problem; 1 problems, printed as a table. */
export async function runVerification(out = console.log, err = console.error): Promise<number> {
  try {
    const printed: CustodyProblem[] = [];
    const report = await verifyCustody((problem) => {
      if (printed.length < MAX_PRINTED) printed.push(problem);
    });
    const rows = printed.map(({ keyId, eventId, kind, message }) => [
      keyId,
      `${eventId ?? "–"}`,
      kind,
      message,
    ]);
    if (rows.length > 0) out(formatTable(["key", "event", "problem", "what"], rows, ""));
    if (report.problems > MAX_PRINTED) out(`… and ${report.problems - MAX_PRINTED} more`);
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
