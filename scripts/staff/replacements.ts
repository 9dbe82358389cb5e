import {
  approveReplacement,
  type ReplacementResult,
  refuseReplacement,
} from "@/lib/delivery/replacement/decide-replacement";
import { listOpenReplacements } from "@/lib/delivery/replacement/list-open-replacements";
import {
  decisionText,
  formatTime,
  listVerb,
  refusedDecision,
  SEEN,
  StaffCommandError,
  type StaffNoun,
} from "./command";

const PROBLEMS = {
  own: "Somebody else has to decide.",
  no_stock: "No code of this plan is free: import some, then approve the request again.",
  locked:
    "Its code is refunded, its refund is requested, or its payment is disputed: decide that first, or refuse the request.",
};

function toOutput(
  id: string,
  decided: ReplacementResult | null,
  decision: "approved" | "refused",
  consequence: string,
) {
  if (!decided) throw new StaffCommandError(`There is no replacement request ${id}.`);
  if (!("state" in decided)) throw new StaffCommandError(PROBLEMS[decided.outcome]);
  if (decided.state !== decision)
    throw new StaffCommandError(`The replacement request ${id} was ${decided.state} before.`);
  const isNew = decided.outcome === "decided";
  const text = decisionText(`The replacement request ${id}`, decision, isNew, consequence);
  return { text, json: { id, ...decided } };
}

/** Requests to replace codes that do not work. */
export const replacements: StaffNoun = {
  list: listVerb({
    description: "lists the requests that wait for an answer, the oldest first",
    find: listOpenReplacements,
    columns: {
      request: (row) => row.id,
      version: (row) => row.version,
      asked: (row) => formatTime(row.askedAt),
      pass: (row) => `${row.product} ${row.plan}`,
      stock: (row) => `${row.stock}`,
      shown: (row) => `${row.shown}`,
      shopper: (row) => row.email,
      order: (row) => row.orderId,
      reason: (row) => row.reason,
    },
    emptyText: "No replacement request is waiting.",
  }),
  approve: {
    usage: "REQUEST --version VERSION",
    description: "revokes the code and delivers a new one of the same plan, because the code does not work",
    options: SEEN,
    async run({ id, values: { version }, actor }) {
      const decided = await approveReplacement(id, actor, { version }).catch(refusedDecision);
      return toOutput(id, decided, "approved", "; the fresh code is on its way");
    },
  },
  refuse: {
    usage: 'REQUEST --version VERSION --reason "…"',
    description: "notifies the shopper why there is no new code, because the code works",
    options: { ...SEEN, reason: "required" },
    async run({ id, values: { reason = "", version }, actor }) {
      const decided = await refuseReplacement(id, actor, reason, { version }).catch(refusedDecision);
      return toOutput(id, decided, "refused", "; the shopper is notified by email");
    },
  },
};
