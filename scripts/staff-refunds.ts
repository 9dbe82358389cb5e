import { decideRefundRequest } from "@/lib/orders/refunds/commands-requests";
import { listFailedRefunds, listOpenRefundRequests } from "@/lib/orders/refunds/queries";
import { formatPrice } from "@/lib/platform/money";
import {
  formatTime,
  listVerb,
  optionText,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
} from "./staff-command";

async function decide({ id, options, actor }: StaffCall, decision: "approved" | "refused") {
  const note = optionText(options.reason);
  const decided = await decideRefundRequest(id, {
    decision,
    by: actor,
    overrule: options.overrule === true,
    ...(note && { note }),
  });
  if (!decided) throw new StaffCommandError(`There is no refund request ${id}.`);
  if (decided.state !== decision)
    throw new StaffCommandError(
      decision === "refused"
        ? `The refund request ${id} is approved already: by another staff member, or because 48 hours have passed.`
        : `The refund request ${id} is refused already; --overrule approves it anyway.`,
    );
  const texts = {
    approved: "is approved; the codes are locked and the money is on its way.",
    refused: "is refused; the shopper is notified by email.",
  };
  return {
    text:
      decided.outcome === "decided"
        ? `The refund request ${id} ${texts[decision]}`
        : `The refund request ${id} was ${decision} before; nothing was changed.`,
    json: { id, ...decided },
  };
}

/** Refund requests that wait for a vendor's answer. Staff ask the vendor and answer here. */
export const refunds: StaffNoun = {
  list: listVerb({
    description:
      "lists the requests that wait for an answer, the most urgent first; without an answer they are approved",
    find: listOpenRefundRequests,
    columns: {
      request: (row) => row.id,
      "answer by": (row) => formatTime(row.answerBy),
      amount: (row) => formatPrice(row.amountCents, "en"),
      product: (row) => row.product,
      shopper: (row) => row.email,
      order: (row) => row.orderId,
    },
    emptyText: "No refund request is waiting.",
  }),
  failed: listVerb({
    description: "lists refunds that failed for good: pay them by other means, as the shopper was told",
    find: listFailedRefunds,
    columns: {
      refund: (row) => row.id,
      failed: (row) => formatTime(row.failedAt),
      amount: (row) => formatPrice(row.amountCents, "en"),
      shopper: (row) => row.email,
      order: (row) => row.orderId,
    },
    emptyText: "No refund has failed.",
  }),
  approve: {
    usage: "REQUEST [--overrule]",
    description:
      "locks the codes and refunds, because the code was not used; --overrule: even if refused before",
    options: { overrule: { type: "boolean" } },
    run: (call) => decide(call, "approved"),
  },
  refuse: {
    usage: 'REQUEST --reason "…"',
    description: "notifies the shopper why there is no refund, because the code was used",
    options: { reason: { type: "string" } },
    required: ["reason"],
    run: (call) => decide(call, "refused"),
  },
};
