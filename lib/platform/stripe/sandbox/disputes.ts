import { sql } from "drizzle-orm";
import type Stripe from "stripe";
import { z } from "zod";
import { db, type Tx } from "@/db/client";
import { sandboxIntents } from "@/db/schema/sandbox";
import { env } from "@/lib/platform/env";
import type { IntentRow } from "./objects";
import { type Answer, missing } from "./params";
import { hidden, withHidden } from "./private";
import { changeIntent, inSandbox, lockIntent, peekIntent, tell } from "./store";

/** Disputes of the sandbox: at most one to an intent, whose name is the intent's with another beginning. */
const Kept = z.object({ status: z.string(), reason: z.string(), created: z.int() });
type Kept = z.output<typeof Kept>;

const disputeId = (intentId: string) => intentId.replace(/^pi_/, "du_");
const intentOfDispute = (id: string) => id.replace(/^du_/, "pi_");

function keptOf(row: IntentRow): Kept | null {
  const text = hidden(row.metadata, "dispute");
  return text === null ? null : Kept.parse(JSON.parse(text));
}

export type DisputeStatus = "needs_response" | "warning_needs_response" | "under_review" | "won" | "lost";

/**
 * A knob for tests and demos: the buyer contests a paid intent, or the bank gets on with it. Tells of it as Stripe
 * does: created, updated, closed. Answers the dispute's id; null for an intent that is not paid.
 */
export async function disputeSandboxPayment(
  intentId: string,
  status: DisputeStatus,
  reason = "product_not_received",
): Promise<string | null> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("Payments are contested here in the sandbox only.");
  return inSandbox(async (tx) => {
    const row = await lockIntent(tx, intentId);
    if (row?.status !== "succeeded") return null;
    const before = keptOf(row);
    const next: Kept = {
      status,
      reason: before?.reason ?? reason,
      created: before?.created ?? (await nowSeconds(tx)),
    };
    const metadata = withHidden(row.metadata, { dispute: JSON.stringify(next) });
    const changed = await changeIntent(tx, row, null, { metadata });
    const over = status === "won" || status === "lost";
    const type = over ? "closed" : before ? "updated" : "created";
    await tell(tx, { type: `charge.dispute.${type}`, object: disputeObject(changed, next) });
    return disputeId(intentId);
  });
}

async function nowSeconds(tx: Tx): Promise<number> {
  const [row] = await tx.execute<{ at: number }>(sql`select extract(epoch from shop_now())::int as at`);
  return row?.at ?? 0;
}

export async function findDispute(id: string): Promise<Answer> {
  const row = await peekIntent(intentOfDispute(id));
  const kept = row && keptOf(row);
  return kept ? { status: 200, body: disputeObject(row, kept) } : missing(404, "dispute", id, "dispute");
}

/** Those opened since a moment (seconds), the newest first. */
export async function disputesSince(seconds: number): Promise<Stripe.Dispute[]> {
  const rows = await db
    .select()
    .from(sandboxIntents)
    .where(sql`metadata ? '__dispute' and ((metadata->>'__dispute')::jsonb->>'created')::int >= ${seconds}`);
  const found = rows.flatMap((row) => {
    const kept = keptOf(row);
    return kept ? [disputeObject(row, kept)] : [];
  });
  return found.sort((a, b) => b.created - a.created);
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

function disputeObject(row: IntentRow, { status, reason, created }: Kept): Stripe.Dispute {
  return {
    id: disputeId(row.id),
    object: "dispute",
    amount: row.receivedCents,
    balance_transactions: [],
    charge: row.latestCharge ?? "",
    created,
    currency: row.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: null,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: row.id,
    reason,
    status,
  };
}
