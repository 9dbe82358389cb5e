import { closeDatabase } from "@/db/client";
import { goOn, type Way } from "./resumable-sale";

/** One sale in a process that die-at.mjs kills on its way: waits for its orders, so that starting costs no time. */
const hook = globalThis as typeof globalThis & {
  passlaneDieArm(at: number, when: string): void;
  passlaneDieCount(): number;
};

process.once("message", async ({ way, at, when }: { way: Way; at: number; when: string }) => {
  const payAtProvider = async (client_secret: string) => {
    // As the buyer's browser pays: no request of the server.
    process.send?.({ pay: client_secret });
    await new Promise((done) => process.once("message", done));
  };
  hook.passlaneDieArm(at, when);
  await goOn(way, payAtProvider);
  process.send?.({ left: hook.passlaneDieCount() });
  await closeDatabase();
  process.exit(0);
});
process.send?.({ up: true });
