import {
  approveReplacement,
  type ReplacementResult,
  refuseReplacement,
} from "@/lib/delivery/replacement/commands";
import { listOpenReplacements } from "@/lib/delivery/replacement/queries";
import {
  formatTable,
  formatTime,
  optionText,
  StaffCommandError,
  type StaffNoun,
  type StaffOutput,
} from "./staff-command";

const PROBLEMS = {
  no_stock: "No code of this plan is free: import some, then approve the request again.",
  locked:
    "Its code is refunded, its refund is requested, or its payment is disputed: decide that first, or refuse the request.",
};

function toOutput(
  id: string,
  decided: ReplacementResult | null,
  decision: "approved" | "refused",
  doneText: string,
): StaffOutput {
  if (!decided) throw new StaffCommandError(`There is no replacement request ${id}.`);
  if (!("state" in decided)) throw new StaffCommandError(PROBLEMS[decided.outcome]);
  if (decided.state !== decision)
    throw new StaffCommandError(`The replacement request ${id} was ${decided.state} before.`);
  const text =
    decided.outcome === "decided"
      ? `The replacement request ${id} ${doneText}`
      : `The replacement request ${id} was ${decision} before; nothing was changed.`;
  return { text, json: { id, ...decided } };
}

/** Requests to replace codes that do not work. */
export const replacements: StaffNoun = {
  list: {
    usage: "",
    description: "lists the requests that wait for an answer, the oldest first",
    args: 0,
    async run() {
      const found = await listOpenReplacements();
      const rows = found.map((row) => [
        row.id,
        formatTime(row.askedAt),
        `${row.product} ${row.plan}`,
        `${row.stock}`,
        `${row.shown}`,
        row.email,
        row.orderId,
        row.reason,
      ]);
      const headings = ["request", "asked", "pass", "stock", "shown", "shopper", "order", "reason"];
      return { text: formatTable(headings, rows, "No replacement request is waiting."), json: found };
    },
  },
  approve: {
    usage: "REQUEST",
    description: "revokes the code and emails a new one of the same plan, because the code does not work",
    args: 1,
    async run({ args: [id = ""], actor }) {
      const decided = await approveReplacement(id, actor);
      return toOutput(id, decided, "approved", "is approved; the fresh code is on its way.");
    },
  },
  refuse: {
    usage: 'REQUEST --reason "…"',
    description: "notifies the shopper why there is no new code, because the code works",
    args: 1,
    options: { reason: { type: "string" } },
    required: ["reason"],
    async run({ args: [id = ""], options, actor }) {
      const decided = await refuseReplacement(id, actor, optionText(options.reason));
      return toOutput(id, decided, "refused", "is refused; the shopper is notified by email.");
    },
  },
};
