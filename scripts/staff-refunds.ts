import { decideRefundRequest } from "@/lib/orders/refunds/commands-requests";
import { listFailedRefunds, listOpenRefundRequests } from "@/lib/orders/refunds/queries";
import { formatPrice } from "@/lib/platform/money";
import { moment, type StaffCall, StaffCommandError, type StaffNoun, table, textOf } from "./staff-command";

async function answer({ args, options, by }: StaffCall, decision: "approved" | "refused") {
  const [id = ""] = args;
  const note = textOf(options.reason);
  const decided = await decideRefundRequest(id, {
    decision,
    by,
    overrule: options.overrule === true,
    ...(note && { note }),
  });
  if (!decided) throw new StaffCommandError(`There is no refund request ${id}.`);
  if (decided.state !== decision)
    throw new StaffCommandError(
      decision === "refused"
        ? `The refund request ${id} is approved already: somebody was first, or the 48 hours were over.`
        : `The refund request ${id} is refused already; --overrule approves it all the same.`,
    );
  const done = {
    approved: "is approved; the codes are locked and the money is on its way.",
    refused: "is refused; the shopper is told by mail.",
  };
  return {
    text:
      decided.outcome === "decided"
        ? `The refund request ${id} ${done[decision]}`
        : `The refund request ${id} was ${decision} before; nothing was changed.`,
    json: { id, ...decided },
  };
}

/** Refunds that wait for a maker's answer; until makers have a console, staff ask them and answer here. */
export const refunds: StaffNoun = {
  list: {
    usage: "",
    what: "those that wait for an answer, the most urgent first; silence approves",
    args: 0,
    async run() {
      const found = await listOpenRefundRequests();
      const rows = found.map((one) => [
        one.id,
        moment(one.answerBy),
        formatPrice(one.amountCents, "en"),
        one.product,
        one.email,
        one.orderId,
      ]);
      return {
        text: table(
          ["request", "answer by", "amount", "product", "shopper", "order"],
          rows,
          "No refund request is waiting.",
        ),
        json: found,
      };
    },
  },
  failed: {
    usage: "",
    what: "those that the bank sent back to the last: pay them by other means, the shopper was told so",
    args: 0,
    async run() {
      const found = await listFailedRefunds();
      const rows = found.map((one) => [
        one.id,
        moment(one.failedAt),
        formatPrice(one.amountCents, "en"),
        one.email,
        one.orderId,
      ]);
      return {
        text: table(["refund", "failed", "amount", "shopper", "order"], rows, "No refund has failed."),
        json: found,
      };
    },
  },
  approve: {
    usage: "REQUEST [--overrule]",
    what: "the code was not used: locks the codes and pays back; --overrule: although it was refused",
    args: 1,
    options: { overrule: { type: "boolean" } },
    run: (call) => answer(call, "approved"),
  },
  refuse: {
    usage: 'REQUEST --reason "…"',
    what: "the code was used: tells the shopper why there is no refund",
    args: 1,
    options: { reason: { type: "string" } },
    needs: ["reason"],
    run: (call) => answer(call, "refused"),
  },
};
