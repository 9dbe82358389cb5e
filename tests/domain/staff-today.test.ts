import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createCampaign } from "@/db/factories/coupons";
import { createMerchant } from "@/db/factories/merchants";
import { createOrder } from "@/db/factories/orders";
import { createStaff, endAllMemberships } from "@/db/factories/staff";
import { changeCampaign } from "@/lib/coupons/console/change-campaign";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import { MAX_QUEUED } from "@/lib/platform/console/list";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { closeShop, openShop } from "@/lib/platform/shop-closure";
import { ConsoleReferralsInput } from "@/lib/referrals/console/contract";
import { listConsoleReferrals } from "@/lib/referrals/console/list-console-referrals";
import { refuseReferralByStaff } from "@/lib/referrals/console/refuse-referral-by-staff";
import { findInboxRecord } from "@/lib/staff/inbox/get-record";
import { listInbox } from "@/lib/staff/inbox/list-inbox";
import { previewEffects } from "@/lib/staff/preview/preview-effects";
import { getToday } from "@/lib/staff/today/get-today";
import type { QueueName } from "@/lib/staff/today/rules";
import { getErrorName } from "../setup/error-name";
import { MAX_READ } from "../setup/rows-of-plan";
import { mostRead } from "../setup/rows-read";
import { asCall } from "../setup/second-person";
import { seenCampaign } from "../setup/seen";
import { createTradeFile } from "../setup/trade-file";

afterAll(closeDatabase);

let orderId: string;
let lineId: string;
let keyId: string;
let userId: string;
beforeAll(async () => {
  await endAllMemberships();
  const product = await createProduct({ plans: [{ keys: 1 }] });
  const buyer = await createSignedInUser();
  const order = await createOrder(buyer, product.plans[0]!.id, { status: "completed" });
  [orderId, lineId, userId] = [order.id, order.lineId, buyer.id];
  const [key] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${product.plans[0]!.id} limit 1`,
  );
  keyId = key!.id;
});

const queueOf = async (name: QueueName, roles: StaffRole[] = ["admin"]) => {
  const { viewer } = await createStaff({ roles });
  const { queues } = await getToday(viewer, { days: 7 });
  return queues.find(({ queue }) => queue === name);
};
const HOUR_AGO = sql`shop_now() - interval '1 hour'`;

/** One thing in each queue that has waited for an hour, and one that has not. */
const WAITING: Record<Exclude<QueueName, "approvals">, () => Promise<unknown>> = {
  refund_requests: () =>
    db.execute(sql`
      insert into refund_requests (id, order_line_id, user_id, amount_cents, state, answer_by, created_at)
      values ('rrq_today', ${lineId}, ${userId}, 100, 'asked', shop_now() + interval '1 day', ${HOUR_AGO})`),
  declarations: () =>
    db.execute(sql`
      insert into withdrawal_declarations (id, order_ref, email, words, declared_at)
      values ('wdc_today', 'PL-2611-9997', 'd@example.com', '[]', ${HOUR_AGO})`),
  fraud_warnings: () =>
    db.execute(sql`
      insert into fraud_warnings (id, order_id, intent_id, state, created_at)
      values ('issfr_today', ${orderId}, 'pi_today', 'open', ${HOUR_AGO})`),
  failed_refunds: async () => {
    await db.execute(sql`
      insert into ledger_entries (transfer_id, account, amount_cents, order_id)
      values ('pay:today', 'provider_cash', 500, ${orderId}), ('pay:today', 'sales', -500, ${orderId})`);
    for (const id of ["ref_today", "ref_tried_again"])
      await db.execute(sql`
        insert into refunds (id, order_id, order_line_id, amount_cents, reason, state, updated_at)
        values (${id}, ${orderId}, ${lineId}, 100, 'asked', 'failed', ${HOUR_AGO})`);
    await db.execute(sql`
      insert into audit_entries (actor, action, subject, detail)
      values ('system', 'refund_failed', ${orderId}, '{"refundId":"ref_today"}')`);
  },
  replacements: async () => {
    for (const state of ["reserved", "assigned"])
      await db.execute(
        sql`update keys set state = ${state}, order_line_id = ${lineId}, slot = 1 where id = ${keyId}`,
      );
    await db.execute(sql`
      insert into replacement_requests (id, key_id, user_id, reason, created_at)
      values ('rpl_today', ${keyId}, ${userId}, 'broken', ${HOUR_AGO})`);
  },
  disputes: async () => {
    const other = await createOrder({ id: userId, email: "x@example.com" }, await planOf(), {
      status: "completed",
    });
    for (const [id, isOpen] of [
      ["dp_today", true],
      ["dp_closed", false],
    ] as const)
      await db.execute(sql`
        insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open, created_at)
        values (${id}, ${other.id}, ${id}, 100, 'fraudulent', ${isOpen ? "needs_response" : "won"}, ${isOpen}, ${HOUR_AGO})`);
  },
  asked: () =>
    db.execute(sql`
      insert into inbox_marks (key, queue, id, handed_to, note, marked_by, at)
      values (${`asked:${orderId}`}, 'asked', ${orderId}, 'admin', 'Above my limit.', ${userId}, ${HOUR_AGO})`),
  sold_out: async () => {
    const { plans } = await createProduct({ plans: [{}] });
    await db.execute(sql`
      insert into wait_list (id, user_id, plan_id, email, locale, created_at)
      values ('wait_today', ${userId}, ${plans[0]!.id}, 'w@example.com', 'en', ${HOUR_AGO})`);
  },
  reports: () =>
    db.execute(sql`
      insert into content_reports (id, kind, target_id, target_name, reason, text, locale, created_at)
      values ('rpt_today', 'review', 'rev_none', 'A review', 'other', 'It is not about the app.', 'en', ${HOUR_AGO})`),
  messages: () =>
    db.execute(sql`
      insert into conversations (id, email, locale, waiting_since) values ('cnv_today', 'g@example.com', 'en', ${HOUR_AGO})`),
  stuck: () => mail("mail_late", "queued", HOUR_AGO),
  failed_mails: async () => {
    await mail("mail_failed", "failed", HOUR_AGO);
    await mail("mail_failed_long_ago", "failed", sql`shop_now() - interval '8 days'`);
    await mail("mail_sent", "sent", HOUR_AGO);
  },
  replies: async () => {
    await db.execute(sql`
      insert into reviews (id, product_id, order_id, user_id, rating, title, content, locale)
      select 'rev_today', l.product_id, l.order_id, ${userId}, 5, 'Good', 'It works.', 'en' from order_lines l where l.id = ${lineId}`);
    await db.execute(sql`
      insert into review_replies (review_id, merchant_id, text, locale, written_by, created_at)
      select id, merchant_id, 'Thanks.', 'en', 'token:tok_x', ${HOUR_AGO} from reviews where id = 'rev_today'`);
  },
  applications: () =>
    db.execute(sql`
      insert into merchant_applications (id, email, product_url, phone_num, locale, created_at)
      values ('app_today', 'vendor@example.com', 'https://v.example', '1', 'en', ${HOUR_AGO})`),
  trade_files: async () => {
    for (const state of ["active", "ended"] as const) {
      const merchant = await createMerchant({ state });
      await createTradeFile(merchant);
      await db.execute(
        sql`update merchant_trade_files set updated_at = ${HOUR_AGO} where merchant_id = ${merchant.id}`,
      );
    }
    await createTradeFile(await createMerchant(), { without: ["phone"] });
  },
  stopped_merchants: async () => {
    const { id } = await createMerchant();
    await db.execute(sql`update merchants set keys_stopped_at = ${HOUR_AGO} where id = ${id}`);
  },
  high_discounts: async () => {
    const { id } = await createMerchant();
    await db.execute(sql`
      insert into merchant_discounts (merchant_id, gross_cents, discount_cents, high_since, counted_at)
      values (${id}, 10000, 5000, ${HOUR_AGO}, ${HOUR_AGO})`);
  },
  merchant_names: async () => {
    const { id } = await createMerchant();
    await db.execute(
      sql`update merchants set proposed_name = 'Other', proposed_name_at = ${HOUR_AGO} where id = ${id}`,
    );
  },
  changes: async () => {
    const { id: merchant } = await createMerchant();
    for (const [id, state] of [
      ["chg_today", "proposed"],
      ["chg_draft", "draft"],
    ])
      await db.execute(sql`
        insert into product_changes (id, merchant_id, state, base_revision, kind, risk, content, created_by, proposed_at)
        values (${id}, ${merchant}, ${state}, 0, 'new', 'high', '{}', 'usr', ${HOUR_AGO})`);
  },
};
async function planOf(): Promise<number> {
  return (await createProduct({ plans: [{ keys: 1 }] })).plans[0]!.id;
}
const mail = (id: string, state: string, at: ReturnType<typeof sql>) =>
  db.execute(sql`
    insert into mails (id, event, to_address, locale, refs, dedupe_key, state, created_at, sent_at, failed_at)
    values (${id}, 'welcome', 'a@example.com', 'en', '{}', ${id}, ${state}, ${at},
      case when ${state} = 'sent' then shop_now() end, case when ${state} = 'failed' then ${at} end)`);

describe("a queue of the Today page", () => {
  it.each(Object.keys(WAITING) as (keyof typeof WAITING)[])(
    "%s counts what waits, with the age of the oldest",
    async (name) => {
      const before = await queueOf(name);
      await WAITING[name]();
      const after = await queueOf(name);
      expect(after).toMatchObject({ count: before!.count + 1, more: false });
      const minutes = (Date.now() - Date.parse(after!.oldest_at!)) / 60_000;
      expect(minutes).toBeCloseTo(60, 0);
    },
  );

  it("has a record in the inbox for everything that waits, or a screen of its own", async () => {
    const { viewer } = await createStaff();
    const { items } = await listInbox(viewer, { view: "open" }, "en");
    expect(Object.keys(WAITING).filter((name) => items.every(({ queue }) => queue !== name))).toEqual([]);
    const OWN_SCREEN = ["messages", "disputes", "applications", "trade_files", "changes"];
    for (const { key, queue } of items) {
      const record = await findInboxRecord(viewer, key, "en");
      expect(record === null, key).toBe(OWN_SCREEN.includes(queue));
    }
  });

  it("of stuck work counts a missing worker, except in a closed shop, which runs none", async () => {
    const open = (await queueOf("stuck"))!.count;
    await closeShop("A test.", "staff:test");
    const closed = (await queueOf("stuck"))!.count;
    await openShop("staff:test");
    expect(closed).toBe(open - 1);
  });

  it("of approvals counts those that the person may decide", async () => {
    const [asking, second] = [await createStaff({ roles: ["finance"] }), await createStaff()];
    const support = await createStaff({ roles: ["support"] });
    const id = await createCampaign({ monthlyBudgetCents: 100 });
    const change = { monthly_budget: 9_000, ...(await seenCampaign(id)) };
    await getErrorName(asCall(changeCampaign)(asking.viewer, id, change));
    const count = async ({ viewer }: typeof asking) =>
      (await getToday(viewer, { days: 7 })).queues.find(({ queue }) => queue === "approvals")?.count;
    expect([await count(second), await count(asking), await count(support)]).toEqual([1, 0, 0]);
  });

  it("is shown as 99+ beyond that, without reading more rows", async () => {
    await db.execute(sql`
      insert into merchant_applications (id, email, product_url, phone_num, locale, created_at)
      select 'app_many' || n, 'many' || n || '@example.com', 'https://v.example', '1', 'en', shop_now() - make_interval(mins => n)
      from generate_series(1, 3000) n`);
    await db.execute(sql`
      insert into mails (id, event, to_address, locale, refs, dedupe_key, state, created_at)
      select 'mail_many' || n, 'welcome', 'a@example.com', 'en', '{}', 'mail_many' || n, 'queued', shop_now() - interval '10 minutes'
      from generate_series(1, 3000) n`);
    await db.execute(sql`analyze merchant_applications`);
    await db.execute(sql`analyze mails`);
    expect(await queueOf("applications")).toMatchObject({ count: MAX_QUEUED - 1, more: true });
    expect(await queueOf("stuck")).toMatchObject({ count: MAX_QUEUED - 1, more: true });
    const { viewer } = await createStaff();
    expect(await mostRead(() => getToday(viewer, { days: 90 }))).toBeLessThanOrEqual(MAX_READ);
  });

  it("is shown only to those who may see it", async () => {
    expect(await queueOf("applications", ["support"])).toBeUndefined();
    expect(await queueOf("refund_requests", ["support"])).toBeDefined();
  });
});

describe("figures of the Today page", () => {
  it.each([7, 30, 90] as const)("cover %s days, today included", async (days) => {
    await db.execute(sql`
      insert into sales_daily (day, orders, revenue_cents, refunded_cents, delivered, delivery_seconds)
      values ((shop_now() at time zone 'UTC')::date, 4, 10000, 2500, 3, 12)
      on conflict (day) do update set orders = 4, revenue_cents = 10000, refunded_cents = 2500, delivery_seconds = 12`);
    const { figures } = await getToday((await createStaff({ roles: ["support"] })).viewer, { days });
    expect(figures).toHaveLength(days);
    expect(figures.at(-1)).toMatchObject({
      day: new Date().toISOString().slice(0, 10),
      orders: 4,
      revenue: 100,
      refunded: 25,
      refund_share: 0.25,
      delivery_seconds: 12,
    });
  });
});

describe("invitations", () => {
  async function invite(state = "registered") {
    const [inviter, friend] = [await createSignedInUser(), await createSignedInUser()];
    const id = newId("ref");
    await db.execute(sql`
      insert into referrals (id, inviter_id, friend_id, email_identity, network, state, reason)
      values (${id}, ${inviter.id}, ${friend.id}, ${id}, ${id}, ${state}, ${state === "refused" ? "staff" : null})`);
    return { id, inviter, friend };
  }
  const list = (input: object = {}) => listConsoleReferrals(ConsoleReferralsInput.parse(input));

  it("are listed by state and by either person's address, page by page", async () => {
    const { id, inviter, friend } = await invite();
    const refused = await invite("refused");
    for (const email of [inviter.email, friend.email.toUpperCase()])
      expect((await list({ email })).items.map(({ referral_id }) => referral_id)).toEqual([id]);
    expect((await list({ state: "refused" })).items.map(({ referral_id }) => referral_id)).toEqual([
      refused.id,
    ]);
    expect((await list({ email: "nobody@example.com" })).items).toEqual([]);
    const { items } = await list({ email: inviter.email });
    expect(items[0]).toMatchObject({
      inviter: { customer_id: inviter.id, email: inviter.email },
      friend: { customer_id: friend.id, email: friend.email },
      state: "registered",
      reason: null,
    });
  });

  it("read at most 2,100 rows per statement", async () => {
    const { inviter } = await invite();
    await db.execute(sql`
      insert into users (id, email, username, invite_code, locale)
      select 'usr_ref' || n, 'ref' || n || '@example.com', 'Ref', 'ref' || n, 'en' from generate_series(1, 4000) n`);
    await db.execute(sql`
      insert into referrals (id, inviter_id, friend_id, email_identity, network, created_at)
      select 'ref_many' || n, ${inviter.id}, 'usr_ref' || n, 'x' || n, 'x' || n, shop_now() - make_interval(mins => n)
      from generate_series(1, 4000) n`);
    await db.execute(sql`analyze referrals`);
    await db.execute(sql`analyze users`);
    for (const input of [{}, { state: "paid" }, { state: "registered" }, { email: "ref3999@example.com" }]) {
      expect(await mostRead(() => list(input)), JSON.stringify(input)).toBeLessThanOrEqual(MAX_READ);
      const { next_cursor: cursor } = await list(input);
      if (cursor) expect(await mostRead(() => list({ ...input, cursor }))).toBeLessThanOrEqual(MAX_READ);
    }
  });

  it("are refused by staff once, after the effects were shown", async () => {
    const { viewer, id: actor } = await createStaff({ roles: ["catalogue"] });
    const { id } = await invite();
    const { version } = (await list({})).items.find(({ referral_id }) => referral_id === id)!;
    const refuse = (seen: SeenVersion = { version }) => refuseReferralByStaff(viewer, id, seen);
    // The friend's order is paid after the invitation was listed.
    await db.execute(sql`update referrals set due_at = shop_now() + interval '7 days' where id = ${id}`);
    for (const seen of [{ version }, {}]) expect(await getErrorName(refuse(seen))).toBe("revision_conflict");
    expect(await db.execute(sql`select state from referrals where id = ${id}`)).toEqual([
      { state: "registered" },
    ]);
    await db.execute(sql`update referrals set due_at = null where id = ${id}`);
    const effects = await previewEffects(refuse);
    expect(effects).toEqual([{ kind: "referrals_refused", count: 1 }]);
    await refuse();
    expect(await getErrorName(refuse())).toBe("referral_decided");
    expect(await getErrorName(refuseReferralByStaff(viewer, "ref_none", {}))).toBe("referral_unknown");
    expect(await db.execute(sql`select actor, action from audit_entries where subject = ${id}`)).toEqual([
      { actor, action: "referral_refused" },
    ]);
  });
});
