import { type CustodyProblem, verifyCustody } from "@/lib/delivery/custody/verify-custody";
import { countOf } from "./command/count-of";
import { runCommand } from "./command/run-command";
import { formatTable } from "./staff/command";

/** The number of problems that are printed. All are counted. */
const MAX_PRINTED = 200;

/** Verifies the custody events of every key. Exit codes: 0 no problem; 1 problems, printed as a table. */
export async function runVerification(out = console.log): Promise<number> {
  const printed: CustodyProblem[] = [];
  const { keys, events, sealed, problems } = await verifyCustody((problem) => {
    if (printed.length < MAX_PRINTED) printed.push(problem);
  });
  const rows = printed.map(({ keyId, eventId, kind, message }) => [
    keyId,
    `${eventId ?? "–"}`,
    kind,
    message,
  ]);
  if (rows.length > 0) out(formatTable(["key", "event", "problem", "what"], rows, ""));
  if (problems > MAX_PRINTED) out(`… and ${problems - MAX_PRINTED} more`);
  const outcome = problems === 0 ? "nothing is wrong." : `${problems} problems.`;
  out(`${countOf(keys, "key")}, ${countOf(events, "event")}, ${sealed} of them sealed: ${outcome}`);
  return problems === 0 ? 0 : 1;
}

await runCommand(import.meta.url, () => runVerification());
