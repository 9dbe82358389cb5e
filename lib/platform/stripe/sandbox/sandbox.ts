import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { sandboxIntents } from "@/db/schema/sandbox";
import { env } from "@/lib/platform/env";
import { forgetOldRequests } from "./idempotency";
import { SECRET } from "./ids";
import type { IntentRow } from "./objects";
import { payingWith } from "./paying";
import { changeIntent, decline, inSandbox, lockIntent, succeed } from "./store";

/** How long a slow payment of the sandbox takes. */
export const SANDBOX_PROCESSING_MS = 4_000;

/** The words of `SANDBOX_OUTCOMES`; tsc compares where the shop's outcome is handed over. */
export type Outcome =
  | "succeeded"
  | "declined"
  | "requires_action"
  | "processing_succeeded"
  | "processing_failed"
  | "silent";

/** What came of a confirmation. `accepted` false: the intent could not be confirmed any more, and nothing changed. */
export type Confirmation = { intentId: string; status: IntentRow["status"]; accepted: boolean };

/**
 * What the provider's script in the browser does at the real provider: tries to pay, with the outcome that was
 * picked. Null for a client secret that no intent has. Throws outside the sandbox (docs/reliability.md#payment-provider).
 */
export async function confirmSandboxIntent(
  clientSecret: string,
  outcome: Outcome,
  /** `card`, a wallet, or a card that the intent's customer keeps. */
  method?: string,
): Promise<Confirmation | null> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("Payments are confirmed here in the sandbox only.");
  return inSandbox(async (tx) => {
    const row = await lockIntent(tx, clientSecret, "client_secret");
    if (!row) return null;
    const intentId = row.id;
    const paying = row.status.startsWith("requires_") ? await payingWith(tx, row, method) : null;
    if (!paying) return { intentId, status: row.status, accepted: false };
    const { status } = await attempt(tx, { ...row, ...paying }, outcome);
    return { intentId, status, accepted: true };
  });
}

/** The intent that a client secret names; whether the secret is right shows when it is used. */
export const intentOf = (clientSecret: string): string => clientSecret.split(SECRET)[0] ?? "";

function attempt(tx: Tx, row: IntentRow, outcome: Outcome): Promise<IntentRow> {
  switch (outcome) {
    case "succeeded":
      return succeed(tx, row);
    case "declined":
      return decline(tx, row);
    case "requires_action":
      return changeIntent(tx, row, "payment_intent.requires_action", {
        status: "requires_action",
        lastError: null,
      });
    case "processing_succeeded":
      return slow(tx, row, "succeeded");
    case "processing_failed":
      return slow(tx, row, "failed");
    case "silent":
      return changeIntent(tx, row, null, { status: "processing", lastError: null });
  }
}

function slow(tx: Tx, row: IntentRow, settlesAs: "succeeded" | "failed"): Promise<IntentRow> {
  setTimeout(() => void settleDueSandboxIntents().catch(() => {}), SANDBOX_PROCESSING_MS + 50).unref();
  return changeIntent(tx, row, "payment_intent.processing", {
    status: "processing",
    settlesAs,
    settlesIn: SANDBOX_PROCESSING_MS / 1000,
    lastError: null,
  });
}

/**
 * Decides the slow payments whose time has come and answers how many. The process that took the payment does it
 * by itself, a look at the intent does it too; the worker's tick does it when that process is gone.
 */
export async function settleDueSandboxIntents(): Promise<number> {
  if (env().PAYMENT_MODE !== "sandbox") return 0;
  let settled = 0;
  for (let due = await dueIntents(); due.length > 0; due = await dueIntents()) {
    for (const id of due) await inSandbox((tx) => lockIntent(tx, id));
    settled += due.length;
  }
  await forgetOldRequests();
  return settled;
}

async function dueIntents(): Promise<string[]> {
  const due = await db
    .select({ id: sandboxIntents.id })
    .from(sandboxIntents)
    .where(sql`${sandboxIntents.settlesAt} <= shop_now()`)
    .limit(100);
  return due.map((intent) => intent.id);
}
