import { type CampaignChange, updateCampaign } from "@/lib/coupons/campaigns/change-campaign";
import { type CampaignRow, listCampaignsForStaff } from "@/lib/coupons/console/list-campaigns-for-staff";
import { grantCoupon } from "@/lib/coupons/give-coupon";
import { revokeCoupon } from "@/lib/coupons/revoke-coupon";
import { isShopError } from "@/lib/platform/errors";
import { formatPrice } from "@/lib/platform/money";
import { listReferralsForStaff } from "@/lib/referrals/rewards/list-referrals-for-staff";
import { refuseReferral } from "@/lib/referrals/rewards/refuse-referral";
import {
  decisionText,
  formatTime,
  listVerb,
  parseDollars,
  refusedDecision,
  SEEN,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
} from "./command";

const money = (cents: number | null) => (cents === null ? "no cap" : formatPrice(cents, "en"));
const campaignValue = ({ amountCents, percent }: CampaignRow) =>
  amountCents === null ? `${percent}%` : money(amountCents);

async function changeCampaign({ id, actor }: StaffCall, change: CampaignChange, what: string) {
  if (!(await updateCampaign(id, change, actor))) throw new StaffCommandError(`There is no campaign ${id}.`);
  return { text: `The campaign ${id} ${what}.`, json: { id, ...change } };
}

/** Campaigns, their coupons, and invitations. */
export const vouchers: StaffNoun = {
  list: listVerb({
    description: "lists the campaigns: value, minimum, monthly budget, promised part of it, used coupons",
    find: listCampaignsForStaff,
    columns: {
      id: (row) => row.id,
      "": (row) => (row.enabled ? "on" : "off"),
      worth: campaignValue,
      from: (row) => money(row.minimumCents),
      "a month": (row) => money(row.monthlyBudgetCents),
      promised: (row) => money(row.promisedCents),
      used: (row) => `${row.used}/${row.coupons}`,
      "taken off": (row) => money(row.discountCents),
      code: (row) => row.code ?? "",
      ends: (row) => formatTime(row.endsAt),
      title: (row) => row.title,
    },
    emptyText: "There is no campaign.",
  }),
  on: {
    usage: "CAMPAIGN",
    description: "switches it on",
    run: (call) => changeCampaign(call, { enabled: true }, "is on"),
  },
  off: {
    usage: "CAMPAIGN",
    description: "switches it off: no more coupons are issued, issued ones stay valid",
    run: (call) => changeCampaign(call, { enabled: false }, "is off"),
  },
  budget: {
    usage: "CAMPAIGN --dollars 500 | --none [--day]",
    description: "sets the budget per calendar month, or per day (UTC)",
    options: { dollars: "optional", none: "flag", day: "flag" },
    run(call) {
      const { dollars: typed } = call.values;
      const [budget, span] = call.flags.has("day")
        ? (["dailyBudgetCents", "day"] as const)
        : (["monthlyBudgetCents", "month"] as const);
      if (call.flags.has("none") && typed !== undefined)
        throw new StaffCommandError("Either --dollars or --none, not both.");
      if (call.flags.has("none"))
        return changeCampaign(call, { [budget]: null }, `has no budget cap per ${span}`);
      if (typed === undefined)
        throw new StaffCommandError("Say how much with --dollars, or --none for no cap.");
      const cents = parseDollars(typed);
      return changeCampaign(call, { [budget]: cents }, `may promise ${money(cents)} a ${span}`);
    },
  },
  free: {
    usage: "CAMPAIGN --yes | --no",
    description: "sets whether coupons issued from now on may cover the whole price",
    options: { yes: "flag", no: "flag" },
    run(call) {
      const free = call.flags.has("yes");
      if (free === call.flags.has("no")) throw new StaffCommandError("Say --yes or --no.");
      const what = free ? "may cover the whole price" : "leaves the least charge to pay";
      return changeCampaign(call, { free }, what);
    },
  },
  minimum: {
    usage: "CAMPAIGN --dollars 10",
    description: "sets the minimum order of coupons issued from now on",
    options: { dollars: "required" },
    run(call) {
      const cents = parseDollars(call.values.dollars ?? "");
      return changeCampaign(call, { minimumCents: cents }, `is for orders from ${money(cents)}`);
    },
  },
  give: {
    usage: "CAMPAIGN --to ADDRESS",
    description: "issues a coupon to an account and emails it",
    options: { to: "required" },
    async run({ id, values: { to = "" }, actor }) {
      const coupon = await grantCoupon(id, to, actor).catch((error: unknown) => {
        if (isShopError(error, "voucher_unavailable"))
          throw new StaffCommandError(`The campaign ${id} is off, over, or its budget is spent.`);
        throw error;
      });
      if (coupon === "no campaign") throw new StaffCommandError(`There is no campaign ${id}.`);
      if (coupon === "no account") throw new StaffCommandError(`There is no account of ${to}.`);
      return { text: `${to} has the coupon ${coupon.code}; it is sent by email.`, json: { to, ...coupon } };
    },
  },
  revoke: {
    usage: 'CODE --reason "…"',
    description: "revokes an unused coupon",
    options: { reason: "required" },
    async run({ id, values: { reason = "" }, actor }) {
      const code = id.toUpperCase();
      const done = await revokeCoupon(code, reason, actor);
      if (done === null) throw new StaffCommandError(`There is no coupon ${code}.`);
      if (done === "in_use") throw new StaffCommandError(`The coupon ${code} is held or used by an order.`);
      const text = decisionText(`The coupon ${code}`, "revoked", done === "done");
      return { text, json: { code, outcome: done } };
    },
  },
  invitations: listVerb({
    description: "lists the newest invitations and their state",
    find: listReferralsForStaff,
    columns: {
      id: (row) => row.id,
      version: (row) => row.version,
      registered: (row) => formatTime(row.createdAt),
      inviter: (row) => row.inviter,
      friend: (row) => row.friend,
      state: (row) => row.state,
      "why, or due": (row) => row.reason ?? formatTime(row.dueAt),
    },
    emptyText: "Nobody has registered by an invitation.",
  }),
  refuse: {
    usage: "INVITATION --version VERSION",
    description: "refuses an undecided invitation",
    options: SEEN,
    async run({ id, values: { version }, actor }) {
      const done = await refuseReferral(id, { actor, version }).catch(refusedDecision);
      if (done === null) throw new StaffCommandError(`There is no invitation ${id}.`);
      if (done === "too_late") throw new StaffCommandError(`The invitation ${id} is decided already.`);
      return { text: `The invitation ${id} is refused.`, json: { id, state: "refused" } };
    },
  },
};
