import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { sandboxMethods, sandboxSetups } from "@/db/schema/sandbox";
import { env } from "@/lib/platform/env";
import type { MethodRow, SetupRow } from "./card-objects";
import { stripeId } from "./ids";

/** The words of `SANDBOX_CARDS`; tsc compares where the shop's choice is handed over. */
export type CardChoice = "visa" | "mastercard" | "authentication" | "declined" | "approved" | "refused";

const PRETENDED = {
  visa: { brand: "visa", last4: "4242" },
  mastercard: { brand: "mastercard", last4: "4444" },
  authentication: { brand: "visa", last4: "3155" },
};
const REFUSED = {
  code: "setup_intent_authentication_failure",
  message: "The provided payment method has failed authentication.",
};
const DECLINED = {
  code: "card_declined",
  declineCode: "generic_decline",
  message: "Your card was declined.",
};

/** The customer whose card a client secret may keep, or null. */
export async function customerOfSetup(clientSecret: string): Promise<string | null> {
  const [row] = await db
    .select({ customerId: sandboxSetups.customerId })
    .from(sandboxSetups)
    .where(eq(sandboxSetups.clientSecret, clientSecret));
  return row?.customerId ?? null;
}

/**
 * What the provider's script in the browser does at the real provider: tries to keep the pretended card that was
 * picked, or answers the bank's question about it. Null for a client secret that no setup has. A setup that is
 * decided stays as it is. Throws outside the sandbox.
 */
export async function confirmSandboxSetup(
  clientSecret: string,
  choice: CardChoice,
): Promise<SetupRow | null> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("Cards are kept here in the sandbox only.");
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(sandboxSetups)
      .where(eq(sandboxSetups.clientSecret, clientSecret))
      .for("update");
    return row?.status.startsWith("requires_") ? attempt(tx, row, choice) : (row ?? null);
  });
}

async function attempt(tx: Tx, row: SetupRow, choice: CardChoice): Promise<SetupRow> {
  switch (choice) {
    case "visa":
    case "mastercard": {
      const { id } = await pretend(tx, choice, row.customerId);
      return change(tx, row, { status: "succeeded", methodId: id, lastError: null });
    }
    case "authentication": {
      const { id } = await pretend(tx, choice, null); // kept only once the bank has said yes
      return change(tx, row, { status: "requires_action", methodId: id, lastError: null });
    }
    case "approved":
      if (!row.methodId) return row;
      await tx
        .update(sandboxMethods)
        .set({ customerId: row.customerId })
        .where(eq(sandboxMethods.id, row.methodId));
      return change(tx, row, { status: "succeeded", lastError: null });
    case "refused":
      return row.methodId ? change(tx, row, { ...AGAIN, lastError: REFUSED }) : row;
    case "declined":
      return change(tx, row, { ...AGAIN, lastError: DECLINED });
  }
}

const AGAIN = { status: "requires_payment_method", methodId: null } as const;

async function pretend(tx: Tx, card: keyof typeof PRETENDED, customerId: string | null): Promise<MethodRow> {
  const expYear = sql`extract(year from shop_now())::int + 3`;
  const values = { id: stripeId("pm"), customerId, ...PRETENDED[card], expMonth: 12, expYear };
  const [method] = await tx.insert(sandboxMethods).values(values).returning();
  if (!method) throw new Error("the sandbox kept no card");
  return method;
}

async function change(tx: Tx, { id }: SetupRow, values: Partial<SetupRow>): Promise<SetupRow> {
  const [changed] = await tx.update(sandboxSetups).set(values).where(eq(sandboxSetups.id, id)).returning();
  if (!changed) throw new Error(`sandbox setup ${id} is gone`);
  return changed;
}
