import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { listFailedRefunds } from "@/lib/orders/refunds/list-failed-refunds";
import { listOpenRefundRequests } from "@/lib/orders/refunds/list-open-refund-requests";
import { formatPrice } from "@/lib/platform/money";
import {
  decisionText,
  formatTime,
  listVerb,
  refusedDecision,
  SEEN,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
} from "./command";

const CONSEQUENCES = {
  approved: "; the codes are locked and the money is on its way",
  refused: "; the shopper is notified by email",
};

async function decide({ id, flags, values, actor }: StaffCall, decision: "approved" | "refused") {
  const decided = await decideRefundRequest(id, {
    decision,
    by: actor,
    overrule: flags.has("overrule"),
    shown: { version: values.version },
    ...(values.reason && { note: values.reason }),
  }).catch(refusedDecision);
  if (!decided) throw new StaffCommandError(`There is no refund request ${id}.`);
  if (decided.outcome === "disputed")
    throw new StaffCommandError(
      `The payment of the refund request ${id} is disputed: the bank decides. After a won dispute the request can be decided.`,
    );
  if (decided.state !== decision)
    throw new StaffCommandError(
      decision === "refused"
        ? `The refund request ${id} is approved already: by another staff member, or because 48 hours have passed.`
        : `The refund request ${id} is refused already; --overrule approves it anyway.`,
    );
  const isNew = decided.outcome === "decided";
  const text = decisionText(`The refund request ${id}`, decision, isNew, CONSEQUENCES[decision]);
  return { text, json: { id, ...decided } };
}

/** Refund requests that wait for a vendor's answer. Staff ask the vendor and answer here. */
export const refunds: StaffNoun = {
  list: listVerb({
    usage: "[--refused]",
    description:
      "lists the requests that wait for an answer, the most urgent first; without an answer they are approved; --refused: refused ones",
    options: { refused: "flag" },
    find: (flags) => listOpenRefundRequests({ refused: flags.has("refused") }),
    columns: {
      request: (row) => row.id,
      version: (row) => row.version,
      "answer by": (row) => formatTime(row.answerBy),
      amount: (row) => formatPrice(row.amountCents, "en"),
      product: (row) => row.product,
      shopper: (row) => row.email,
      order: (row) => row.orderNumber,
      "order id": (row) => row.orderId,
    },
    emptyText: (flags) =>
      flags.has("refused") ? "No refund request is refused." : "No refund request is waiting.",
  }),
  failed: listVerb({
    description: "lists refunds that failed for good: pay them by other means, as the shopper was told",
    find: listFailedRefunds,
    columns: {
      refund: (row) => row.id,
      failed: (row) => formatTime(row.failedAt),
      amount: (row) => formatPrice(row.amountCents, "en"),
      shopper: (row) => row.email,
      order: (row) => row.orderNumber,
      "order id": (row) => row.orderId,
    },
    emptyText: "No refund has failed.",
  }),
  approve: {
    usage: "REQUEST --version VERSION [--overrule]",
    description:
      "locks the codes and refunds, because the code was not used; --overrule: even if refused before",
    options: { ...SEEN, overrule: "flag" },
    run: (call) => decide(call, "approved"),
  },
  refuse: {
    usage: 'REQUEST --version VERSION --reason "…"',
    description: "notifies the shopper why there is no refund, because the code was used",
    options: { ...SEEN, reason: "required" },
    run: (call) => decide(call, "refused"),
  },
};
