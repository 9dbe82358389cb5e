import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCampaign } from "@/db/factories/coupons";
import { createMerchant } from "@/db/factories/merchants";
import { createDebt, createDraftPayout, removeDebts } from "@/db/factories/payouts";
import { createStaff, endAllMemberships, type StaffUser } from "@/db/factories/staff";
import { changeProducts } from "@/lib/catalog/console/change-products";
import { saveProduct } from "@/lib/catalog/console/save-product";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { changeCampaign, createCampaignByStaff } from "@/lib/coupons/console/change-campaign";
import { NewCampaignInput } from "@/lib/coupons/console/contract";
import { addCommissionRule } from "@/lib/merchants/console/add-commission-rule";
import { endMerchant } from "@/lib/merchants/console/end-merchant";
import { getConsoleMerchant } from "@/lib/merchants/console/get-console-merchant";
import { giveGoodwill } from "@/lib/orders/console/give-goodwill";
import { writeOff } from "@/lib/payouts/console/write-off";
import { askForRun } from "@/lib/payouts/runs/approve-run";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import { isShopError } from "@/lib/platform/errors";
import { decideApproval } from "@/lib/staff/approvals/decide-approval";
import { isApproved } from "@/lib/staff/approvals/take-approval";
import { approvedActions } from "@/lib/staff/approved-actions";
import { grantRolesByOperator, resetFactorByOperator } from "@/lib/staff/members/change-members-by-operator";
import { changeRoles } from "@/lib/staff/members/change-roles";
import { resetFactor } from "@/lib/staff/members/reset-factor";
import { APPROVAL_KINDS, type ApprovalKind } from "@/lib/staff/rules";
import { importCategory, importLines, planRecord, productRecord } from "../setup/catalog-import";
import { getErrorName } from "../setup/error-name";
import { findFirstLine } from "../setup/refunds";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { anySecondPerson, runAsCall } from "../setup/second-person";
import { seenApproval, seenCampaign, seenLine, seenMember } from "../setup/seen";

registerSaleHooks({ runJobs: true });
const debtors: string[] = [];
afterEach(() => removeDebts(debtors));
beforeAll(importCategory);
// Whether a person may decide alone depends on who else is staff.
beforeEach(endAllMemberships);

type Asked = {
  /** Throws that it waits for a second person. */
  ask: () => Promise<unknown>;
  /** Changes what the second person was shown; undefined: a file or a list, which the database lets nobody change. */
  change?: () => Promise<unknown>;
  /** What the approval is to change. */
  read: () => Promise<unknown>;
};

const EN = { preview: false, locale: "en" } as const;
const one = async (query: ReturnType<typeof sql>) => (await db.execute(query))[0];

const rolesOf = (email: string) => async () =>
  one(sql`select m.roles from users u left join staff_members m on m.user_id = u.id and m.ended_at is null
    where u.email = ${email}`);

/** A change of roles from `before` to `after`, of a person who has `since` meanwhile. */
async function roles(
  asking: StaffUser,
  before: StaffRole[],
  after: StaffRole[],
  since: StaffRole[],
): Promise<Asked> {
  const { email } = before.length > 0 ? await createStaff({ roles: before }) : await createSignedInUser();
  return {
    ask: async () => changeRoles(asking.viewer, { email, roles: after, ...(await seenMember(email)) }),
    change: () => grantRolesByOperator(email, since, "staff:test"),
    read: rolesOf(email),
  };
}

async function product() {
  const line = productRecord({ plans: [planRecord({ price: 10 })] });
  await importLines([line]);
  const found = await one(sql`select id from products where slug = ${line.slug}`);
  const id = Number(found!.id);
  const read = () => one(sql`select x.price_cents, x.availability from plans x where x.product_id = ${id}`);
  const save = async (viewer: StaffUser, fields: object) => {
    const stored = (await readProductRecords([id])).get(id)!;
    const { revision } = (await one(sql`select revision from products where id = ${id}`))!;
    const edit = { id, baseRevision: Number(revision), line: { ...stored, ...fields } };
    return saveProduct(viewer.viewer, edit, EN);
  };
  return { id, read, save };
}

/** An approval that its asker uses with the same file or list. */
function used(asking: StaffUser, kind: ApprovalKind): Asked {
  const payload = { sha256: randomText(64) };
  return {
    ask: async () => {
      const subject = payload.sha256;
      const id = await idOf(() => anySecondPerson.ask(asking.viewer, { kind, payload, subject }));
      const other = db.execute(
        sql`update approvals set payload = ${JSON.stringify({ sha256: "other" })}::jsonb where id = ${id}`,
      );
      await expect(other).rejects.toMatchObject({ cause: { constraint_name: "approvals_final" } });
      expect(await isApproved(asking.viewer, kind, { sha256: "other" })).toBe(false);
      return id;
    },
    read: () => isApproved(asking.viewer, kind, payload),
  };
}

/** A request of each kind. A kind without a case fails. */
const CASES: Record<ApprovalKind, (asking: StaffUser, other: StaffUser) => Promise<Asked> | Asked> = {
  grant_admin: (asking) => roles(asking, [], ["admin"], ["support"]),
  grant_roles: (asking) => roles(asking, ["support"], ["support", "finance"], ["support", "catalogue"]),
  remove_admin: (asking) => roles(asking, ["admin"], ["support"], ["admin", "finance"]),
  async reset_factor() {
    const { email, id } = await createStaff({ roles: ["support"] });
    return {
      ask: async () => resetFactor({ email, ...(await seenMember(email)) }),
      change: () => resetFactorByOperator(email, "staff:test"),
      read: () =>
        one(sql`select count(*)::int from second_factors where user_id = ${id} and ended_at is null`),
    };
  },
  export_persons: (asking) => used(asking, "export_persons"),
  bulk_import: (asking) => used(asking, "bulk_import"),
  coupon_import: (asking) => used(asking, "coupon_import"),
  async goodwill(asking, other) {
    const plan = await createSinglePlan({ type: "month", keys: 1, priceCents: 20_000 });
    const orderId = await sale.sell(await sale.createBuyer(), plan.id);
    await sale.runQueue();
    const order_product_id = await findFirstLine(orderId);
    const give = async ({ viewer }: StaffUser, amount: number) => {
      const input = { order_product_id, amount, refunded_amount: 0, reason: "the vendor answered late" };
      return giveGoodwill(viewer, orderId, { ...input, ...(await seenLine(orderId)) }, "en");
    };
    return {
      ask: () => give(asking, 150),
      change: () => give(other, 10),
      read: () => one(sql`select refunded_cents from order_lines where id = ${order_product_id}`),
    };
  },
  async campaign_budget(asking, other) {
    const id = await createCampaign({ monthlyBudgetCents: 10_000 });
    return {
      ask: async () =>
        changeCampaign(asking.viewer, id, { monthly_budget: 8_000, ...(await seenCampaign(id)) }),
      change: async () => changeCampaign(other.viewer, id, { daily_budget: 50, ...(await seenCampaign(id)) }),
      read: () => one(sql`select monthly_budget_cents from campaigns where id = ${id}`),
    };
  },
  async campaign_create(asking, other) {
    const campaign = `shown-${randomText(8)}`;
    const create = ({ viewer }: StaffUser, monthly_budget: number, id: string) => {
      const title = { en: "Sale", zh: "促销", ja: "セール" };
      const terms = { campaign: id, title, amount: 5, monthly_budget, ends_at: "2999-01-01T00:00:00Z" };
      return createCampaignByStaff(viewer, NewCampaignInput.parse(terms));
    };
    // One person's budgets of a day are summed.
    await create(asking, 1, `first-${randomText(8)}`);
    return {
      ask: () => create(asking, 5_000, campaign),
      change: () => create(other, 10, campaign),
      read: () => one(sql`select monthly_budget_cents from campaigns where id = ${campaign}`),
    };
  },
  async change_prices(asking, other) {
    const { read, save } = await product();
    return {
      ask: () => save(asking, { plans: [planRecord({ price: 90 })] }),
      change: () => save(other, { sort_num: 9 }),
      read,
    };
  },
  async change_products(asking, other) {
    const { id, read, save } = await product();
    const pause = (ids: number[], revision: number) => {
      const input = { product_ids: ids, revisions: { [id]: revision }, action: "pause" as const };
      return changeProducts(asking.viewer, { ...input, preview: false }, "en");
    };
    // As many as one person may change in a day.
    await pause(
      Array.from({ length: 100 }, (_, i) => 1_900_000_000 + i),
      1,
    );
    return { ask: () => pause([id], 1), change: () => save(other, { sort_num: 9 }), read };
  },
  async end_merchant() {
    const { id } = await createMerchant();
    return {
      ask: async () => {
        const { version } = await getConsoleMerchant(id);
        return endMerchant(id, { version, note: "The contract has ended." });
      },
      change: () => db.execute(sql`update merchants set trust = 'trusted' where id = ${id}`),
      read: () => one(sql`select state from merchants where id = ${id}`),
    };
  },
  async payout_run(asking) {
    const id = newId("run");
    await db.execute(sql`
      insert into payout_runs (id, origin, prepared_by, state) values (${id}, 'manual', ${asking.id}, 'draft')`);
    return {
      ask: () => askForRun(id),
      change: () => createDraftPayout(id),
      read: () => one(sql`select (state = 'approved')::int from payout_runs where id = ${id}`),
    };
  },
  async write_off() {
    const { id } = await createMerchant({ state: "ended" });
    debtors.push(id);
    const owe = () => createDebt(id);
    await owe();
    return {
      ask: () => writeOff(id),
      change: owe,
      read: () =>
        one(
          sql`select count(*)::int from ledger_entries where merchant_id = ${id} and account = 'platform_loss'`,
        ),
    };
  },
  commission(asking) {
    const percent = 1 + Math.floor(Math.random() * 9_000) / 100;
    return {
      ask: () => addCommissionRule({ percent, fixed: 0 }),
      change: () =>
        db.execute(sql`insert into commission_rules (id, bps, fixed_cents, valid_from, created_by)
          values (${newId("cmr")}, 1500, 0, shop_now(), ${asking.id})`),
      read: () =>
        one(sql`select count(*)::int from commission_rules where bps = ${Math.round(percent * 100)}`),
    };
  },
};

/** Asks, and returns the approval's id. */
async function idOf(ask: Asked["ask"]): Promise<string> {
  const answer = await ask().catch((thrown: unknown) => thrown);
  if (typeof answer === "string") return answer;
  if (!isShopError(answer, "approval_required")) throw answer;
  return answer.issues![0]!.message;
}

it.each(Object.keys(APPROVAL_KINDS) as ApprovalKind[])(
  "%s is approved as it was shown to the second person, and not once it has changed",
  async (kind) => {
    const [asking, second, other] = [await createStaff(), await createStaff(), await createStaff()];
    const decide = (id: string, seen: object) =>
      getErrorName(decideApproval(second.viewer, { id, decision: "approve", ...seen }, approvedActions));
    const stateOf = async (id: string) =>
      (await one(sql`select state from approvals where id = ${id}`))?.state;

    const { ask, change, read } = await CASES[kind](asking, other);
    const id = await idOf(() => runAsCall(asking.viewer, ask));
    const seen = change ? await seenApproval(second.viewer, id) : { version: "0123456789abcdef" };
    await change?.();
    const before = await read();
    for (const shown of [seen, {}]) expect(await decide(id, shown)).toBe("revision_conflict");
    expect([await read(), await stateOf(id)]).toEqual([before, "asked"]);

    const again = await createStaff();
    const unchanged = await CASES[kind](again, other);
    const asked = await idOf(() => runAsCall(again.viewer, unchanged.ask));
    const earlier = await unchanged.read();
    expect(await decide(asked, await seenApproval(second.viewer, asked))).toBeNull();
    expect(await stateOf(asked)).toBe("approved");
    expect(await unchanged.read()).not.toEqual(earlier);
  },
);
