import { parseArgs } from "node:util";
import {
  listReconciliationReports,
  type ReconciliationReport,
  reconcileWithProvider,
} from "@/lib/orders/reconciliation/reconcile-with-provider";
import { runCommand } from "./command/run-command";

const USAGE = "Usage: npm run payments:reconcile -- [--now] [--json]";
const KINDS = {
  missing_here: "is missing in the shop",
  missing_there: "is missing at the provider",
  amount: "differs in its amount",
  state: "differs in its state",
};

const reportText = ({ day, checked, differences }: ReconciliationReport) =>
  [
    `${day}: ${checked} compared, ${differences.length} different, ${differences.filter(({ repaired }) => !repaired).length} left`,
    ...differences.map(
      ({ object, id, kind, ours, theirs, repaired }) =>
        `  ${repaired ? "repaired" : "OPEN    "}  ${object} ${id} ${KINDS[kind]}: ours ${ours ?? "–"}, theirs ${theirs ?? "–"}`,
    ),
  ].join("\n");

/**
 * Prints the last reports of the daily reconciliation, the newest first. `--now` runs today's again. Returns exit code 1 if
 * the newest report has open differences.
 */
export async function runReconciliation(
  args: string[],
  out: (text: string) => void = console.log,
): Promise<number> {
  const options = { now: { type: "boolean" }, json: { type: "boolean" } } as const;
  let values: { now?: boolean; json?: boolean };
  try {
    ({ values } = parseArgs({ args, options }));
  } catch {
    out(USAGE);
    return 2;
  }
  if (values.now) await reconcileWithProvider();
  const reports = await listReconciliationReports();
  if (values.json) out(JSON.stringify(reports, null, 2));
  else out(reports.map(reportText).join("\n") || "There is no report yet; --now creates one.");
  return reports[0]?.differences.some(({ repaired }) => !repaired) ? 1 : 0;
}

await runCommand(import.meta.url, runReconciliation);
