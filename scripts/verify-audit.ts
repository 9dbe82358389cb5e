import { env } from "@/lib/platform/env";
import { type AuditProblem, verifyAudit } from "@/lib/staff/audit/verify-audit";
import { countOf } from "./command/count-of";
import { runCommand } from "./command/run-command";
import { formatTable } from "./staff/command";

/** The number of problems that are printed. All are counted. */
const MAX_PRINTED = 200;
const NOTHING_SEALED = "nothing is sealed yet; a worker seals what is new every minute.";

/** Verifies the audit log (docs/reliability.md#audit-log). Exit codes: 0 no problem; 1 problems, printed as a table. */
export async function runAuditVerification(out = console.log): Promise<number> {
  const printed: AuditProblem[] = [];
  const { entries, sealed, heads, problems } = await verifyAudit((problem) => {
    if (printed.length < MAX_PRINTED) printed.push(problem);
  });
  const rows = printed.map(({ entryId, kind, message }) => [`${entryId ?? "–"}`, kind, message]);
  if (rows.length > 0) out(formatTable(["entry", "problem", "what"], rows, ""));
  if (problems > MAX_PRINTED) out(`… and ${problems - MAX_PRINTED} more`);
  const compared = env().AUDIT_HEADS_FILE
    ? `compared with ${heads} copied heads`
    : "not compared with copied heads, because AUDIT_HEADS_FILE is not set";
  const outcome = problems > 0 ? `${problems} problems.` : sealed > 0 ? "nothing is wrong." : NOTHING_SEALED;
  out(`${countOf(entries, "entry", "entries")}, ${sealed} of them sealed, ${compared}: ${outcome}`);
  return problems === 0 ? 0 : 1;
}

await runCommand(import.meta.url, () => runAuditVerification());
