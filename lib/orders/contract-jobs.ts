import { z } from "zod";

/** Names and payloads of the queued order jobs. They are separate from `jobs.ts`, because operations may not import jobs. */
export const SettlePayment = {
  name: "settle-payment",
  schema: z.object({ intentId: z.string(), eventId: z.string().optional() }),
};
/** Settles a payment, and brings the refunds that the provider has of it up to date. */
export const UpdateRefunds = {
  name: "update-refunds",
  schema: z.object({ intentId: z.string(), eventId: z.string().optional() }),
};
export const UpdateDispute = {
  name: "update-dispute",
  schema: z.object({ disputeId: z.string(), eventId: z.string().optional() }),
};
export const UpdateFraudWarning = {
  name: "update-fraud-warning",
  schema: z.object({ warningId: z.string(), eventId: z.string().optional() }),
};
export const UpdateReview = {
  name: "update-review",
  schema: z.object({ reviewId: z.string(), eventId: z.string().optional() }),
};
/** Compares the records of the last days with the provider's. */
export const ReconcileWithProvider = { name: "reconcile-with-provider", schema: z.unknown() };
export const AssignKeys = { name: "assign-keys", schema: z.object({ orderId: z.string() }) };
export const AssignWaitingOrders = { name: "assign-waiting", schema: z.object({ planId: z.int() }) };
/** Sends the gift of an order if it is due. */
export const DeliverGift = { name: "deliver-gift", schema: z.object({ orderId: z.string() }) };
/** `providerId`: the provider's refund id, when a webhook event arrives before the API's answer. */
export const SendRefund = {
  name: "send-refund",
  schema: z.object({ refundId: z.string(), providerId: z.string().optional() }),
};
