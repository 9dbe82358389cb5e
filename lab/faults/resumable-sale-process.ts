import { closeDatabase } from "@/db/client";
import { runSale, type SaleInput } from "./resumable-sale";

/** A process that runs one sale and is killed by kill-at-write.mjs. It waits for a message with the sale. */
const hook = globalThis as typeof globalThis & {
  passlaneArmKill(at: number, when: string): void;
  passlaneCountWrites(): number;
};

process.once("message", async ({ input, at, when }: { input: SaleInput; at: number; when: string }) => {
  const payAtProvider = async (client_secret: string) => {
    // The parent process confirms the payment, as the buyer's browser does.
    process.send?.({ pay: client_secret });
    await new Promise((done) => process.once("message", done));
  };
  hook.passlaneArmKill(at, when);
  await runSale(input, payAtProvider);
  process.send?.({ writes: hook.passlaneCountWrites() });
  await closeDatabase();
  process.exit(0);
});
process.send?.({ ready: true });
