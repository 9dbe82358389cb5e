import { closeDatabase } from "@/db/client";
import { sendWebhooks } from "@/lib/webhooks/delivery/send-webhooks";

// Sends the due deliveries of an endpoint in a process that is killed at a write (lab/faults/kill-at-write.mjs):
// ENDPOINT AT WHEN.
const hook = globalThis as typeof globalThis & {
  passlaneArmKill(at: number, when: string): void;
  passlaneCountWrites(): number;
};
const [endpointId = "", at = "0", when = "before"] = process.argv.slice(2);
hook.passlaneArmKill(Number(at), when);
await sendWebhooks(endpointId);
process.send?.({ writes: hook.passlaneCountWrites() });
await closeDatabase();
process.exit(0);
