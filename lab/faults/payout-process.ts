import { closeDatabase } from "@/db/client";
import { fillRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";

// A process that prepares or sends a run of payouts, and is killed at any moment: fill|send RUN.
const [step, runId = ""] = process.argv.slice(2);
process.send?.("ready");
await (step === "fill" ? fillRun(runId) : sendRun(runId));
await closeDatabase();
process.exit(0);
