import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { env } from "@/lib/platform/env";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import { formatPrice } from "@/lib/platform/money";
import { failSandboxRefund, refundInDashboard } from "@/lib/platform/stripe/sandbox/dashboard";
import { SandboxError } from "@/lib/platform/stripe/sandbox/http";
import { parseDollars, StaffCommandError, type StaffNoun } from "./command";

function requireSandbox(): void {
  if (env().PAYMENT_MODE !== "sandbox")
    throw new StaffCommandError("Only the sandbox has this dashboard. Use the provider's own.");
}

async function findIntent(order: string): Promise<string> {
  const [found] = await db.execute<{ id: string | null }>(sql`
    select transaction_id as id from orders where id = ${order} or order_number = ${foldOrderNumber(order)}`);
  if (!found?.id) throw new StaffCommandError(`There is no paid order ${order}.`);
  return found.id;
}

/** What people do in the provider's dashboard, in the sandbox. */
export const payments: StaffNoun = {
  refund: {
    usage: "ORDER [--dollars 5.00]",
    description: "sandbox only: refunds a paid order, or a part of it, as in the provider's dashboard",
    options: { dollars: "optional" },
    async run({ id, values }) {
      requireSandbox();
      const intentId = await findIntent(id);
      // Without an amount: all that is left.
      const cents = values.dollars === undefined ? undefined : parseDollars(values.dollars);
      const refundId = await refundInDashboard(intentId, cents).catch((error: unknown) => {
        if (error instanceof SandboxError) throw new StaffCommandError(error.message);
        throw error;
      });
      const amount = cents === undefined ? "All that was left" : formatPrice(cents, "en");
      return { text: `${amount} of ${intentId} is refunded by ${refundId}.`, json: { intentId, refundId } };
    },
  },
  fail: {
    usage: "REFUND",
    description: "sandbox only: the bank returns a refund, named by the provider's id (re_…)",
    async run({ id }) {
      requireSandbox();
      if (!(await failSandboxRefund(id))) throw new StaffCommandError(`The provider has no refund ${id}.`);
      return { text: `The bank has returned ${id}.`, json: { id } };
    },
  },
};
