import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { listWithheldPlans } from "@/lib/delivery/withheld/list-withheld-plans";
import { releaseWithheldKeys, revokeWithheldKeys } from "@/lib/orders/restore/release-withheld-keys";
import { countOf } from "../command/count-of";
import {
  listVerb,
  refusedDecision,
  SEEN,
  StaffCommandError,
  type StaffNoun,
  type StaffVerb,
} from "./command";

/** The number of a plan; an unknown one has no withheld keys. */
function parsePlan(text: string): number {
  const planId = Number(text);
  if (!/^[1-9]\d*$/.test(text) || planId > 2 ** 31 - 1)
    throw new StaffCommandError(`${text} is no number of a plan.`);
  return planId;
}

type Change = {
  description: string;
  run: typeof releaseWithheldKeys;
  /** What was done, after "3 keys of plan 7". */
  outcome: string;
  /** The name of the number in JSON. */
  counted: string;
};

/** A verb that changes the withheld keys of a plan, and is rejected if there are none. */
const changeVerb = ({ description, run, outcome, counted }: Change): StaffVerb => ({
  usage: "PLAN --version VERSION",
  description,
  options: SEEN,
  async run({ id, values: { version }, actor }) {
    const planId = parsePlan(id);
    const count = await run(planId, { actor, version }).catch(refusedDecision);
    if (count === 0) throw new StaffCommandError(`Plan ${planId} has no withheld keys.`);
    return {
      text: `${countOf(count, "key")} of plan ${planId} ${outcome}.`,
      json: { planId, [counted]: count },
    };
  },
});

/** Keys that are withheld after a restore of the database (docs/operations.md#restore). */
export const stock: StaffNoun = {
  withheld: listVerb({
    description: "lists the plans whose keys are withheld after a restore",
    find: () => listWithheldPlans(),
    columns: {
      plan: ({ planId }) => String(planId),
      version: ({ version }) => version,
      product: ({ product }) => product,
      pass: ({ passType, durationDays }) =>
        passLabel({ pass_type: passType, duration_days: durationDays }, "en"),
      withheld: ({ withheld }) => String(withheld),
      available: ({ available }) => String(available),
    },
    emptyText: "No keys are withheld.",
  }),
  release: changeVerb({
    description: "returns the withheld keys of a plan to stock",
    run: releaseWithheldKeys,
    outcome: "can be sold again",
    counted: "released",
  }),
  revoke: changeVerb({
    description: "revokes the withheld keys of a plan for good",
    run: revokeWithheldKeys,
    outcome: "are revoked",
    counted: "revoked",
  }),
};
