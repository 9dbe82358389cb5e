import { z } from "zod";

/** Names and payloads of the order jobs; what they do stands in jobs.ts, which commands may not import. */
export const SettlePayment = {
  name: "settle-payment",
  schema: z.object({ intentId: z.string(), eventId: z.string().optional() }),
};
export const SettleDispute = {
  name: "settle-dispute",
  schema: z.object({ disputeId: z.string(), eventId: z.string().optional() }),
};
export const CompareWithProvider = { name: "compare-with-provider", schema: z.unknown() };
/** From a payment to its keys nobody should wait behind letters; but those leave within ten seconds more. */
export const KEYS_FIRST = { backdateSeconds: 10 } as const;

export const AssignKeys = { name: "assign-keys", schema: z.object({ orderId: z.string() }) };
export const AssignWaiting = { name: "assign-waiting", schema: z.object({ planId: z.int() }) };
/** `providerId`: what the provider calls it, where a notice of it may be quicker than the answer that says so. */
export const SendRefund = {
  name: "send-refund",
  schema: z.object({ refundId: z.string(), providerId: z.string().optional() }),
};
export const Sweep = { name: "sweep-orders", schema: z.unknown() };
