import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { db, statements, transaction } from "@/db/client";
import { createPlan, createProduct } from "@/db/factories/catalog";
import { createCampaign } from "@/db/factories/coupons";
import { createStaff } from "@/db/factories/staff";
import { campaigns } from "@/db/schema/coupons";
import { findCampaign } from "@/lib/coupons/campaigns/find-campaign";
import { giveCoupon } from "@/lib/coupons/give-coupon";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import { sealAudit } from "@/lib/staff/audit/seal-audit";
import { checkIntegrity, checkRule } from "@/lib/staff/integrity/check-integrity";
import { ALWAYS, WHEN_IDLE } from "@/lib/staff/integrity/rules";
import { runAudit } from "@/scripts/audit";
import {
  closeSale,
  createBuyer,
  orderPlan,
  receiveEventsInProcess,
  runQueue,
  sell,
  waitForLastEvents,
} from "../setup/sale";

// The rules of the audit (docs/reliability.md#audit), each against the fault that it is about.

const RULES = { ...ALWAYS, ...WHEN_IDLE };

/** A delivered order with a coupon (`sold`), and an unpaid one that holds a key and a unit of a deal (`open`). */
type Shop = {
  [name in
    | "sold"
    | "line"
    | "key"
    | "open"
    | "openLine"
    | "openKey"
    | "buyer"
    | "other"
    | "coupon"
    | "spare"
    | "campaign"
    | "intent"
    | "asker"
    | "decider"]: string;
} & { plan: number };
let shop: Shop;

beforeAll(async () => {
  receiveEventsInProcess();
  const [buyer, other] = [await createBuyer(), await createBuyer()];
  const product = await createProduct({ plans: [{ keys: 4 }] });
  const plan = product.plans[0]!.id;
  const dealPlan = await createPlan(product.id, { type: "month", keys: 1, deal: { priceCents: 500 } });
  await sell(buyer, plan);
  const campaign = await createCampaign({ monthlyBudgetCents: 10_000 });
  const codes = [];
  for (let count = 0; count < 2; count++) {
    const given = await transaction(async (tx) => {
      const found = await findCampaign(tx, sql`${campaigns.id} = ${campaign}`);
      return giveCoupon(tx, found!, { id: buyer.id, email: buyer.email, locale: "en" }, { by: "staff:test" });
    });
    codes.push(given.code);
  }
  const sold = await sell(buyer, plan, 1, codes[0]);
  const open = await orderPlan(other, dealPlan.id);
  const [asker, decider] = [await createStaff(), await createStaff()];
  await waitForLastEvents();
  await runQueue();
  await sealCustody({ all: true });
  await vi.waitFor(async () => expect(await sealAudit({ all: true })).toBeGreaterThan(0), 20_000);
  const [found] = await db.execute<Record<keyof Shop, string>>(sql`
    select l.id as line, k.id as key, ol.id as "openLine", ok.id as "openKey", o.transaction_id as intent, o.coupon_id as coupon,
      (select id from coupons where code = ${codes[1]}) as spare
    from orders o join order_lines l on l.order_id = o.id join keys k on k.order_line_id = l.id,
      order_lines ol join keys ok on ok.order_line_id = ol.id
    where o.id = ${sold} and ol.order_id = ${open}`);
  const people = { buyer: buyer.id, other: other.id, asker: asker.id, decider: decider.id };
  shop = { ...found!, ...people, sold, open, campaign, plan };
});
afterAll(closeSale);

const changeOrder = (changes: string) => `update orders set ${changes} where id = :sold`;
const addEvent = (event: string) =>
  `insert into key_events (key_id, event, actor) values (:key, '${event}', 'test')`;
const addDispute = (status: string, since = "0") =>
  `insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open, created_at)
   values ('dp_test', :sold, :intent, 1, 'test', '${status}', ${status === "open"}, shop_now() - interval '${since}')`;
const book = (transfer: string, account: string, cents: number) =>
  `insert into ledger_entries (transfer_id, account, amount_cents, order_id) values ('${transfer}', '${account}', ${cents}, :sold)`;
const addRefund = (cents: number, state = "pending") =>
  `insert into refunds (id, order_id, amount_cents, reason, state) values ('ref_test', :sold, ${cents}, 'test', '${state}')`;
const addProviderRefund = (metadata: string) =>
  `insert into sandbox_refunds (id, intent_id, amount_cents, metadata) values ('re_test', :intent, 1, '${metadata}')`;
const approve = (decider: string) =>
  `insert into approvals (id, kind, payload, subject, asked_by, roles, state, expires_at, decided_by, decided_at)
   values ('apr_test', 'goodwill', '{}', 'test', :asker, '{admin}', 'approved', shop_now(), ${decider}, shop_now())`;
const serveApproval = (actor: string) =>
  `insert into audit_entries (actor, action, subject) values (${actor}, 'approval.used', 'apr_test')`;
const openIntents = `insert into sandbox_intents (id, client_secret, status, amount_cents, currency, metadata)
  select 'pi_test' || n, 'secret' || n, 'requires_payment_method', 100, 'usd', '{"order_id": "ord_test"}'
  from generate_series(1, 2) n`;

const addPayout = (state: string) =>
  `insert into payouts (id, run_id, merchant_id, account_id, state, cents)
   select 'po_test', 'run_test', merchant_id, 'pac_test', '${state}', 100 from merchant_sales where line_id = :line`;
const addStatement = (closingCents: number) =>
  `insert into statements (id, merchant_id, number, kind, to_at, opening_cents, closing_cents, lines, held, hash, created_by)
   select 'stm_test', merchant_id, 1, 'on_demand', shop_now(), 0, ${closingCents}, 0, '[]', 'x', 'test'
   from merchant_sales where line_id = :line`;
const addInvoice = (number: number) =>
  `insert into tax_documents (id, kind, series, number, order_id, country, treatment, bps, gross_cents, tax_cents, content, hash)
   values ('tax_test', 'invoice', 'I2020', ${number}, :sold, 'DE', 'taxed', 1900, 119, 19, '{}', 'x')`;

/** What breaks each rule: statements that run without triggers and foreign keys. `:name` is a value of the shop. */
const FAULTS: Record<string, string[]> = {
  "a key was assigned twice": [addEvent("assigned")],
  "a key was assigned again after its code was seen": [addEvent("restocked"), addEvent("assigned")],
  "a sold key is in stock": [
    "update keys set state = 'available', order_line_id = null, slot = null where id = :key",
  ],
  "a sold key has no assignment in its history": [
    "delete from key_events where key_id = :key and event = 'assigned'",
  ],
  "a code was mailed or shown and its history does not say so": [
    "delete from key_events where key_id = :key and event = 'mailed'",
  ],
  "a key is held for an order that is not open": ["update orders set status = 'cancelled' where id = :open"],
  "a key is assigned without a payment": [changeOrder("status = 'cancelled'")],
  "an open order lacks the keys it holds": [
    "update keys set state = 'available', order_line_id = null, slot = null where id = :openKey",
  ],
  "a delivered line lacks keys": [
    "update keys set state = 'revoked', order_line_id = null, slot = null where id = :key",
  ],
  "a replaced key is not revoked, or its replacement belongs to another line": [
    `insert into replacement_requests (id, key_id, user_id, reason, state, new_key_id)
     values ('rep_test', :key, :buyer, 'test', 'approved', :openKey)`,
  ],
  "a waiting line has no delivery date, or its order is not processing": [
    "update order_lines set state = 'waiting' where id = :line",
  ],
  "a shipped order has open lines": ["update order_lines set state = 'reserved' where id = :line"],
  "a cancelled order is not released, or holds a claim or a line": [
    "update orders set status = 'cancelled' where id = :open",
  ],
  "a deal's count of claimed units is not the sum of its lines": ["update deals set claimed = claimed + 1"],
  "a user has more than the purchase limit": ["update plans set purchase_limit = 1 where id = :plan"],
  "the verified or the unverified accounts of a mailbox have more than the purchase limit": [
    "update plans set purchase_limit = 1 where id = :plan",
    `insert into purchase_claims (user_id, plan_id, slot, order_id, email_identity)
     select :buyer, :plan, slot, :sold, 'test' from generate_series(1, 2) slot`,
  ],
  "an order's status is not that of its last event": [changeOrder("status = 'shipped'")],
  "an order's events have a gap": [
    `insert into order_events (order_id, from_status, event, to_status)
     values (:sold, 'pending', 'payment_verified', 'paid')`,
  ],
  "an order's total is not the sum of its lines": [
    changeOrder("subtotal_cents = subtotal_cents + 1, total_cents = total_cents + 1"),
  ],
  "a transfer does not balance": [book("test", "sales", -5)],
  "the refunds of an order in the ledger are not its refunds and lost disputes": [
    book("test", "refunds", 5),
    book("test", "provider_cash", -5),
  ],
  "the ledger has more for a lost dispute than the bank took, or anything for another dispute": [
    addDispute("won"),
    book("dp_test:1", "refunds", 5),
    book("dp_test:1", "provider_cash", -5),
  ],
  "the cash of an order is below zero": [book("test", "provider_cash", -100_000)],
  "a paid order's payment is not booked with the order's total": [
    "delete from ledger_entries where order_id = :sold and account = 'provider_cash'",
  ],
  "a line of a lost payment is not refunded, or one of its codes is not locked": [addDispute("lost")],
  "an order was charged twice": [
    "drop index payments_one_live",
    `insert into payments (id, order_id, state, amount_cents, currency, receipt_email)
     values ('pay_test', :sold, 'succeeded', 100, 'usd', 'test@example.com')`,
  ],
  "an order is paid without a succeeded payment": [
    "update payments set state = 'canceled' where order_id = :sold",
  ],
  "an order's discount has no coupon, or is not the sum of its lines": [changeOrder("coupon_id = null")],
  "a coupon is held by an order that is not open, or used by one that is not paid": [
    "update coupons set state = 'reserved' where id = :coupon",
  ],
  "an open or paid order has lost its coupon": [
    "update coupons set state = 'open', order_id = null where id = :coupon",
  ],
  "a coupon was used twice": ["update orders set coupon_id = :coupon where id = :open"],
  "a first-order coupon is used by a later order": [
    "update coupons set first_order_only = true where id = :coupon",
  ],
  "a campaign promised more than its budget": [
    "update campaigns set monthly_budget_cents = promised_cents - 1 where id = :campaign",
  ],
  "what a campaign promised is not the sum of its coupons": [
    "update campaigns set promised_cents = promised_cents - 1 where id = :campaign",
  ],
  "a coupon was not charged to its campaign's budget with its face value": [
    "update coupons set promised_cents = 0, promised_month = null where id = :spare",
  ],
  "a coupon left less than the provider's least charge to pay": [
    changeOrder("discount_cents = subtotal_cents - 49, total_cents = 49"),
  ],
  "a referral's coupon belongs to another user or another referral": [
    `insert into referrals (id, inviter_id, friend_id, email_identity, network, state, coupon_id)
     values ('ref_test', :other, :buyer, 'test', 'test', 'paid', :coupon)`,
  ],
  "a returned key is for sale": [addEvent("quarantined")],
  "a code went back on sale after it was seen": [addEvent("restocked")],
  "a unit that came back unseen is not counted, or counted twice": [
    "insert into returned_keys (key_id, order_line_id, slot, assigned_at) values (:key, :line, 1, shop_now())",
  ],
  "the provider refunded more than it received, or its total is wrong": [
    "update sandbox_intents set refunded_cents = 1 where id = :intent",
  ],
  "the provider made a refund that has no record, a wrong amount or a duplicate": [
    addProviderRefund('{"refund_id": "ref_test"}'),
  ],
  "a code was revealed during a dispute of its payment": [
    addDispute("open", "1 minute"),
    addEvent("revealed"),
  ],
  "a consent to immediate delivery has no time or no record": [
    "update order_lines set immediate_delivery = true, consent = null where id = :line",
  ],
  "a code that lay unseen by choice was shown, mailed or activated without consent": [
    "update order_lines set keep_in_library = true where id = :line",
  ],
  "a custody chain has a gap": [
    `update custody_seals set position = position + 1 where key_id = :key and position = (
       select max(position) from custody_seals where key_id = :key)`,
  ],
  "the chain of the audit log has a gap, or seals an entry that is gone": [
    "update audit_seals set position = position + 1 where position = (select max(position) from audit_seals)",
  ],
  "a line with codes has no sale of its merchant": ["delete from merchant_sales where line_id = :line"],
  "a merchant's sale is not its line, or its parts do not add up": [
    "update merchant_sales set refunded_cents = refunded_cents + 1 where line_id = :line",
  ],
  "the ledger has another share of a merchant than its sale, or one without a sale": [
    "update merchant_sales set booked_cents = booked_cents + 1 where line_id = :line",
  ],
  "what was paid out of a sale is not what payouts paid of it": [
    "update merchant_sales set paid_out_cents = paid_out_cents + 1 where line_id = :line",
  ],
  "a payout is not the sum of its lines, its attempt or its entries": [addPayout("sent")],
  "the ledger has payouts on their way that are not sent": [
    book("payout:0:1", "payouts_in_transit", -5),
    book("payout:0:1", "provider_cash", 5),
  ],
  "a run sent more than a second person had approved": [
    `insert into payout_runs (id, origin, state, prepared_by, asked_by, approved_by, approved_at, approved_cents)
     values ('run_test', 'manual', 'sent', 'system', :asker, :decider, shop_now(), 99)`,
    addPayout("sent"),
    `insert into payout_attempts (payout_id, attempt, key, account_id, cents)
     values ('po_test', 1, 'po_test-1', 'pac_test', 100)`,
  ],
  "a statement is not what its lines move, or does not go on where the one before ended": [addStatement(1)],
  "a closed part of the ledger is not the sum of its entries": [
    "insert into ledger_closings (account, merchant_id, cents) values ('bank_cash', 'mch_test', 1)",
  ],
  "a line of a statement is not its entry of the ledger": [
    addStatement(0),
    `insert into statement_lines (entry_id, statement_id, position, kind, cents, at)
     select id, 'stm_test', 1, 'sale', 1, shop_now() from ledger_entries where account = 'provider_cash' limit 1`,
  ],
  "a series of invoices has a gap": [addInvoice(2)],
  "an invoice is not as it was sealed": [addInvoice(1)],
  "the tax of an order in the ledger is not that of its invoices": [addInvoice(1)],
  "the invoices of an order are not what is left of its payment": [
    `insert into order_taxes (order_id, evidence, country, treatment, bps, decided_at) values (:sold, 'single', 'DE', 'taxed', 1900, shop_now())`,
  ],
  "an order was refunded more than it was paid": [addRefund(1_000_000)],
  "an approval was decided by who asked for it, whom it concerns, or who had no role for it": [
    approve(":buyer"),
  ],
  "an approval was decided within 72 hours of the decider's grant, or by whom its asker made staff": [
    "update staff_members set granted_by = :asker where user_id = :decider",
    // A role that somebody else took away since then does not undo the grant.
    "update staff_members set ended_at = shop_now() - interval '1 hour' where user_id = :decider",
    `insert into staff_members (id, user_id, roles, granted_by, created_at)
     select 'stm_test', user_id, roles, 'test', ended_at from staff_members where user_id = :decider`,
    approve(":decider"),
  ],
  "an approval was given to somebody who had no role to ask for it": [
    "update staff_members set ended_at = shop_now() - interval '1 hour' where user_id = :asker",
    approve(":decider"),
  ],
  "an approval served more than once": [serveApproval(":asker"), serveApproval(":asker")],
  "an approval was used that nobody gave": [serveApproval(":asker")],
  "a person has two published reviews of a product": [
    `insert into reviews (id, product_id, order_id, user_id, author_identity, rating, title, content, locale)
     select 'rev_test' || n, l.product_id, case n when 1 then :sold else :open end, case n when 1 then :buyer else :other end,
       'test', 5, 'test', 'test', 'en' from order_lines l, generate_series(1, 2) n where l.id = :line`,
  ],
  "a request for a refund was decided by who made it": [
    "alter table refund_requests drop constraint refund_requests_two_people",
    `insert into refund_requests (id, order_line_id, user_id, amount_cents, state, answer_by, decided_at, decided_by)
     values ('rrq_test', :line, :buyer, 1, 'approved', shop_now(), shop_now(), :buyer)`,
  ],
  "a request for another code was decided by who made it": [
    `insert into replacement_requests (id, key_id, user_id, reason, state, decided_at, decided_by)
     values ('rep_test', :key, :buyer, 'test', 'refused', shop_now(), :buyer)`,
  ],
  "a refund made in the provider's dashboard has no record, or another amount or state": [
    addProviderRefund("{}"),
  ],
  "a transfer at the provider has no payout or another amount, or a payout has no transfer": [
    `insert into sandbox_accounts (id, country, display_name, metadata, requirements) values ('acct_test', 'DE', 'Test', '{}', '[]')`,
    `insert into sandbox_transfers (id, account_id, amount_cents, metadata) values ('tr_test', 'acct_test', 100, '{}')`,
  ],
  "a payment succeeded and the order is not paid": [changeOrder("paid_at = null")],
  "the ledger of an order is not what the provider received, less refunds and lost disputes": [
    "update sandbox_intents set amount_cents = amount_cents + 1, received_cents = received_cents + 1 where id = :intent",
  ],
  "the provider has several open intents of an order": [openIntents],
  "a paid order is neither delivered nor waiting": [changeOrder("status = 'paid'")],
  "a shipped order is not completed": [changeOrder("status = 'shipped'")],
  "a key has no sent email, or several": ["delete from mails where event = 'keys'"],
  "an email is not sent": ["update mails set state = 'queued', sent_at = null where event = 'keys'"],
  "a refund is not finished": [addRefund(1)],
  "a webhook event is not processed": ["update webhook_events set processed_at = null"],
  "a due job remains": ["select graphile_worker.add_job('test')"],
};

/** A statement with the shop's values in place of their names. */
const filledIn = (statement: string) =>
  statement.replaceAll(/(?<!:):([a-zA-Z]+)/g, (_, name: keyof Shop) =>
    typeof shop[name] === "number" ? `${shop[name]}` : `'${shop[name]}'`,
  );

describe("the audit of the whole database", () => {
  it("finds nothing in a shop whose sales went well", async () => {
    const results = await checkIntegrity({ whenIdle: true });
    expect(results.filter(({ rows }) => rows > 0)).toEqual([]);
    expect(results.map(({ rule }) => rule)).toEqual(Object.keys(RULES));
  });

  it("has a seeded fault in this test for each of its rules", () => {
    expect(Object.keys(FAULTS)).toEqual(Object.keys(RULES));
  });

  for (const [rule, fault] of Object.entries(FAULTS))
    it(`finds that ${rule}`, async () => {
      const undone = new Error("undone");
      const run = transaction(async (tx) => {
        const connection = statements(tx);
        await connection.unsafe("set local session_replication_role = replica");
        for (const statement of fault) await connection.unsafe(filledIn(statement));
        expect((await checkRule(tx, rule, RULES[rule]!)).rows).toBeGreaterThan(0);
        throw undone;
      });
      await expect(run).rejects.toBe(undone);
    });

  it("prints each rule with its number of violations, and exits with 1 when there are any", async () => {
    const run = async (...args: string[]) => {
      const lines: string[] = [];
      return { code: await runAudit(args, (text) => lines.push(text)), text: lines.join("\n") };
    };
    const healthy = await run("--idle");
    expect(healthy.code).toBe(0);
    for (const rule of Object.keys(RULES)) expect(healthy.text).toContain(`0     ${rule}`);
    expect(healthy.text).toContain(`${Object.keys(RULES).length} rules: every one holds.`);
    await db.execute(sql`update deals set claimed = claimed + 1`);
    const broken = await run();
    await db.execute(sql`update deals set claimed = claimed - 1`);
    expect(broken.code).toBe(1);
    expect(broken.text).toContain("1     a deal's count of claimed units is not the sum of its lines");
    expect(broken.text).toContain(`${Object.keys(ALWAYS).length} rules: 1 are broken.`);
    expect((await run("--everything")).code).toBe(2);
  });
});
