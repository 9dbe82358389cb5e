import {
  approveReplacement,
  type ReplacementResult,
  refuseReplacement,
} from "@/lib/delivery/replacement/commands";
import { listOpenReplacements } from "@/lib/delivery/replacement/queries";
import { moment, type StaffAnswer, StaffCommandError, type StaffNoun, table, textOf } from "./staff-command";

const PROBLEMS = {
  no_stock: "No code of this plan is free: import some, then approve the request again.",
  locked:
    "Its code is refunded, its refund is asked for, or its payment is disputed: decide that first, or refuse the request.",
};

function told(
  id: string,
  decided: ReplacementResult | null,
  wanted: "approved" | "refused",
  done: string,
): StaffAnswer {
  if (!decided) throw new StaffCommandError(`There is no replacement request ${id}.`);
  if (!("state" in decided)) throw new StaffCommandError(PROBLEMS[decided.outcome]);
  if (decided.state !== wanted)
    throw new StaffCommandError(`The replacement request ${id} was ${decided.state} before.`);
  const text =
    decided.outcome === "decided"
      ? `The replacement request ${id} ${done}`
      : `The replacement request ${id} was ${wanted} before; nothing was changed.`;
  return { text, json: { id, ...decided } };
}

/** Codes that shoppers say do not work. */
export const replacements: StaffNoun = {
  list: {
    usage: "",
    what: "those that wait for an answer, the oldest first",
    args: 0,
    async run() {
      const found = await listOpenReplacements();
      const rows = found.map((one) => [
        one.id,
        moment(one.askedAt),
        `${one.product} ${one.plan}`,
        `${one.stock}`,
        `${one.shown}`,
        one.email,
        one.orderId,
        one.reason,
      ]);
      const headings = ["request", "asked", "pass", "stock", "shown", "shopper", "order", "reason"];
      return { text: table(headings, rows, "No replacement request is waiting."), json: found };
    },
  },
  approve: {
    usage: "REQUEST",
    what: "the code does not work: revokes it and mails a fresh one of the same plan",
    args: 1,
    async run({ args: [id = ""], by }) {
      const decided = await approveReplacement(id, by);
      return told(id, decided, "approved", "is approved; the fresh code is on its way.");
    },
  },
  refuse: {
    usage: 'REQUEST --reason "…"',
    what: "the code works: tells the shopper why there is no other",
    args: 1,
    options: { reason: { type: "string" } },
    needs: ["reason"],
    async run({ args: [id = ""], options, by }) {
      const decided = await refuseReplacement(id, by, textOf(options.reason));
      return told(id, decided, "refused", "is refused; the shopper is told by mail.");
    },
  },
};
