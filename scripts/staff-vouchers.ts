import {
  type CampaignChange,
  grantCoupon,
  revokeCoupon,
  updateCampaign,
} from "@/lib/coupons/campaigns/commands";
import { type CampaignRow, listCampaignsForStaff } from "@/lib/coupons/campaigns/queries";
import { isShopError } from "@/lib/platform/errors";
import { formatPrice, toCents } from "@/lib/platform/money";
import { refuseReferral } from "@/lib/referrals/rewards/commands";
import { listReferralsForStaff } from "@/lib/referrals/rewards/queries";
import { moment, type StaffCall, StaffCommandError, type StaffNoun, table, textOf } from "./staff-command";

const money = (cents: number | null) => (cents === null ? "no cap" : formatPrice(cents, "en"));
const worth = ({ amountCents, percent }: CampaignRow) =>
  amountCents === null ? `${percent}%` : money(amountCents);

const MOST_DOLLARS = 1_000_000;

/** Dollars as typed, in cents. */
function dollars(value: string | boolean | undefined): number {
  const typed = textOf(value);
  try {
    const cents = toCents(typed);
    if (cents <= MOST_DOLLARS * 100) return cents;
  } catch {
    throw new StaffCommandError(
      `"${typed}" is not an amount in dollars: write 0 or more, such as 12 or 12.50.`,
    );
  }
  throw new StaffCommandError(`${typed} is too much: ${MOST_DOLLARS} dollars is the most.`);
}

async function steer({ args, by }: StaffCall, change: CampaignChange, what: string) {
  const [id = ""] = args;
  if (!(await updateCampaign(id, change, by))) throw new StaffCommandError(`There is no campaign ${id}.`);
  return { text: `The campaign ${id} ${what}.`, json: { id, ...change } };
}

/** Campaigns, their coupons, and the invitations that earn them. */
export const vouchers: StaffNoun = {
  list: {
    usage: "",
    what: "every campaign: worth, minimum, budget of the month, what of it is promised, coupons used",
    args: 0,
    async run() {
      const found = await listCampaignsForStaff();
      const rows = found.map((one) => [
        one.id,
        one.enabled ? "on" : "off",
        worth(one),
        money(one.minimumCents),
        money(one.monthlyBudgetCents),
        money(one.promisedCents),
        `${one.used}/${one.coupons}`,
        money(one.discountCents),
        one.code ?? "",
        moment(one.endsAt),
        one.title,
      ]);
      const headings = [
        "id",
        "",
        "worth",
        "from",
        "a month",
        "promised",
        "used",
        "taken off",
        "code",
        "ends",
        "title",
      ];
      return { text: table(headings, rows, "There is no campaign."), json: found };
    },
  },
  on: {
    usage: "CAMPAIGN",
    what: "switches it on",
    args: 1,
    run: (call) => steer(call, { enabled: true }, "is on"),
  },
  off: {
    usage: "CAMPAIGN",
    what: "switches it off: no coupon is given any more, those that are out stay good",
    args: 1,
    run: (call) => steer(call, { enabled: false }, "is off"),
  },
  budget: {
    usage: "CAMPAIGN --dollars 500 | --none",
    what: "what it may promise in a calendar month",
    args: 1,
    options: { dollars: { type: "string" }, none: { type: "boolean" } },
    run(call) {
      if (call.options.none && call.options.dollars !== undefined)
        throw new StaffCommandError("Either --dollars or --none, not both.");
      if (call.options.none) return steer(call, { monthlyBudgetCents: null }, "has no budget cap");
      if (call.options.dollars === undefined)
        throw new StaffCommandError("Say how much with --dollars, or --none for no cap.");
      const cents = dollars(call.options.dollars);
      return steer(call, { monthlyBudgetCents: cents }, `may promise ${money(cents)} a month`);
    },
  },
  minimum: {
    usage: "CAMPAIGN --dollars 10",
    what: "the least order that coupons given from now on are good for",
    args: 1,
    options: { dollars: { type: "string" } },
    needs: ["dollars"],
    run(call) {
      const cents = dollars(call.options.dollars);
      return steer(call, { minimumCents: cents }, `is for orders from ${money(cents)}`);
    },
  },
  give: {
    usage: "CAMPAIGN --to ADDRESS",
    what: "puts one of its coupons into an account and mails it",
    args: 1,
    options: { to: { type: "string" } },
    needs: ["to"],
    async run({ args, options, by }) {
      const [id = ""] = args;
      const to = textOf(options.to);
      const given = await grantCoupon(id, to, by).catch((error: unknown) => {
        if (isShopError(error, "voucher_unavailable"))
          throw new StaffCommandError(`The campaign ${id} is off, over, or its budget is spent.`);
        throw error;
      });
      if (given === "no campaign") throw new StaffCommandError(`There is no campaign ${id}.`);
      if (given === "no account") throw new StaffCommandError(`There is no account of ${to}.`);
      return { text: `${to} has the coupon ${given.code}; it is mailed.`, json: { to, ...given } };
    },
  },
  revoke: {
    usage: 'CODE --reason "…"',
    what: "takes an unused coupon out of use",
    args: 1,
    options: { reason: { type: "string" } },
    needs: ["reason"],
    async run({ args, options, by }) {
      const code = (args[0] ?? "").toUpperCase();
      const done = await revokeCoupon(code, textOf(options.reason), by);
      if (done === null) throw new StaffCommandError(`There is no coupon ${code}.`);
      if (done === "in_use") throw new StaffCommandError(`The coupon ${code} is held or used by an order.`);
      const text =
        done === "done"
          ? `The coupon ${code} is revoked.`
          : `The coupon ${code} was revoked before; nothing was changed.`;
      return { text, json: { code, outcome: done } };
    },
  },
  invitations: {
    usage: "",
    what: "the newest invitations, and what became of them",
    args: 0,
    async run() {
      const found = await listReferralsForStaff();
      const rows = found.map((one) => [
        one.id,
        moment(one.createdAt),
        one.inviter,
        one.friend,
        one.state,
        one.reason ?? moment(one.dueAt),
      ]);
      const headings = ["id", "registered", "inviter", "friend", "state", "why, or due"];
      return { text: table(headings, rows, "Nobody has registered by an invitation."), json: found };
    },
  },
  refuse: {
    usage: "INVITATION",
    what: "an invitation that has not earned yet earns nothing",
    args: 1,
    async run({ args, by }) {
      const [id = ""] = args;
      const done = await refuseReferral(id, by);
      if (done === null) throw new StaffCommandError(`There is no invitation ${id}.`);
      if (done === "too_late") throw new StaffCommandError(`The invitation ${id} is decided already.`);
      return { text: `The invitation ${id} is refused.`, json: { id, state: "refused" } };
    },
  },
};
