import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { listWithheldPlans } from "@/lib/delivery/withheld/queries";
import { releaseWithheldKeys, revokeWithheldKeys } from "@/lib/orders/restore/commands";
import { listVerb, StaffCommandError, type StaffNoun } from "./staff-command";

/** The number of a plan; an unknown one has no withheld keys. */
function parsePlan(text: string): number {
  const planId = Number(text);
  if (!Number.isInteger(planId) || planId < 1 || planId > 2 ** 31 - 1)
    throw new StaffCommandError(`${text} is no number of a plan.`);
  return planId;
}

function requireKeys(planId: number, count: number): void {
  if (count === 0) throw new StaffCommandError(`Plan ${planId} has no withheld keys.`);
}

/** Keys that are withheld after a restore of the database (docs/operations.md#restore). */
export const stock: StaffNoun = {
  withheld: listVerb({
    description: "lists the plans whose keys are withheld after a restore",
    find: listWithheldPlans,
    columns: {
      plan: ({ planId }) => String(planId),
      product: ({ product }) => product,
      pass: ({ passType, durationDays }) =>
        passLabel({ vip_type: passType, duration_days: durationDays }, "en"),
      withheld: ({ withheld }) => String(withheld),
      available: ({ available }) => String(available),
    },
    emptyText: "No keys are withheld.",
  }),
  release: {
    usage: "PLAN",
    description: "returns the withheld keys of a plan to stock",
    async run({ id, actor }) {
      const planId = parsePlan(id);
      const count = await releaseWithheldKeys(planId, actor);
      requireKeys(planId, count);
      return {
        text: `${count} keys of plan ${planId} can be sold again.`,
        json: { planId, released: count },
      };
    },
  },
  revoke: {
    usage: "PLAN",
    description: "revokes the withheld keys of a plan for good",
    async run({ id, actor }) {
      const planId = parsePlan(id);
      const count = await revokeWithheldKeys(planId, actor);
      requireKeys(planId, count);
      return { text: `${count} keys of plan ${planId} are revoked.`, json: { planId, revoked: count } };
    },
  },
};
