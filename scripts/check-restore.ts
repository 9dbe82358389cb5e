import { parseArgs } from "node:util";
import { checkRestore } from "@/lib/orders/restore/check-restore";
import type { RestoreReport } from "@/lib/orders/restore/restore-report";
import { formatPrice } from "@/lib/platform/money";
import { countOf } from "./command/count-of";
import { runCommand } from "./command/run-command";
import { formatTable, operator } from "./staff/command";

const USAGE =
  "Usage: npm run restore:check -- --since TIME [--preview] [--journal-lost] [--json], where TIME is the restored moment, as 2026-11-23T14:05:00Z";

/** What makes a check differ from its preview, which runs the same steps. */
const CHANGES_UNTIL_CHECK =
  "The check does the same, unless the provider changes something until then: a payment that is made or decided there moves between the figures of payments, and the order that it pays keeps its keys, so that fewer are quarantined or withheld. What the provider refuses is known only when the check asks for it.";

/** Parses the arguments; undefined if they are invalid. A time needs its zone. */
function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        since: { type: "string" },
        preview: { type: "boolean" },
        "journal-lost": { type: "boolean" },
        json: { type: "boolean" },
      },
    });
    const hasZone = /T.+(?:Z|[+-]\d\d:?\d\d)$/.test(values.since ?? "");
    const since = new Date(values.since ?? "");
    return hasZone && since.getTime() < Date.now() ? { ...values, since } : undefined;
  } catch {
    return undefined;
  }
}

const lines = (title: string, rows: string[]) =>
  rows.length > 0 ? [`${title}:`, ...rows.map((row) => `  ${row}`)] : [];

function reportText(report: RestoreReport, preview: boolean): string {
  const { journal, withheld, payments, differences } = report;
  const amount = (cents: number) => formatPrice(cents, "en");
  const state = journal.whole ? "whole" : "NOT WHOLE";
  return [
    `${preview ? "Preview of a check" : "Check"} of a database restored to ${report.since.toISOString()}`,
    `Journal: ${state}, ${countOf(journal.entries, "line")} in ${countOf(journal.files, "file")}`,
    ...journal.problems.map((problem) => `  ${problem}`),
    `Keys that were handed out and are unsold here, quarantined: ${report.quarantined}`,
    ...(withheld.length === 0
      ? ["Plans whose keys wait for staff: none"]
      : [
          `Plans whose keys wait for staff: ${withheld.length}`,
          formatTable(
            ["plan", "keys", "product", "because"],
            withheld.map(({ planId, keys, product, why }) => [`${planId}`, `${keys}`, product, why]),
            "",
          ),
        ]),
    `Payments recorded: ${payments.recorded}; of lost orders refunded: ${payments.refunded.length}, cancelled: ${payments.cancelled.length}`,
    ...lines(
      "Refunded, with plan × quantity",
      payments.refunded.map(
        ({ intentId, orderId, items, amountCents }) =>
          `${intentId}  order ${orderId}  ${items ?? "?"}  ${amount(amountCents)}`,
      ),
    ),
    ...lines(
      "Payments that need a person",
      payments.open.map(
        ({ intentId, orderId, why }) => `${intentId ?? "payment"} of order ${orderId} ${why}`,
      ),
    ),
    ...lines(
      "Differences from the provider that are left",
      differences.map(({ object, id, kind }) => `${object} ${id}  ${kind}`),
    ),
    isDone(report)
      ? preview
        ? "Nothing was changed."
        : "The shop is closed. Open it with: npm run staff -- shop open"
      : "NOT DONE: see above, then check again before the shop opens.",
    ...(preview ? [CHANGES_UNTIL_CHECK] : []),
  ].join("\n");
}

const isDone = ({ payments, differences }: RestoreReport) =>
  payments.open.length === 0 && differences.length === 0;

/**
 * Checks a restored database (docs/operations.md#restore). Exit codes: 0 the shop may open; 1 something is left to do; 2
 * invalid arguments.
 */
export async function runRestoreCheck(
  args: string[],
  out = console.log,
  err = console.error,
): Promise<number> {
  const options = parse(args);
  if (!options) {
    err(USAGE);
    return 2;
  }
  const { since, preview = false, "journal-lost": journalLost, json } = options;
  const report = await checkRestore({ since, actor: operator(), preview, journalLost });
  out(json ? JSON.stringify(report, null, 2) : reportText(report, preview));
  return isDone(report) ? 0 : 1;
}

await runCommand(import.meta.url, runRestoreCheck);
