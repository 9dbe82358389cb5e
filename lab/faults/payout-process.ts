import { closeDatabase } from "@/db/client";
import { fillRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";

// Prepares or sends a payout run in a process that the trial kills at any moment: fill|send RUN.
const [step, runId = ""] = process.argv.slice(2);
process.send?.("ready");
await (step === "fill" ? fillRun(runId) : sendRun(runId));
await closeDatabase();
process.exit(0);
