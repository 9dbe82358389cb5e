import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSales, createSeller, type Seller } from "@/db/factories/merchants";
import { createPayoutAccount } from "@/db/factories/payouts";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { getMoney } from "@/lib/payouts/money/get-money";
import { endPayoutByStaff } from "@/lib/payouts/runs/end-payout";
import { fillRun, prepareRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";
import { getStatement, listStatements } from "@/lib/payouts/statements/get-statement";
import { makeStatement } from "@/lib/payouts/statements/make-statement";
import { toSignedCents } from "@/lib/platform/money";
import { auditSale } from "../setup/audit";
import { rounds } from "../setup/rounds";
import * as sale from "../setup/sale";

const HISTORIES = rounds(1_000, 25);

let staff: StaffUser;
let other: StaffUser;
let buyer: sale.Buyer;

beforeAll(async () => {
  [staff, other] = [await createStaff({ roles: ["finance"] }), await createStaff({ roles: ["finance"] })];
  buyer = await sale.createBuyer();
});
afterAll(sale.closeSale);

const STEPS = [
  "sell",
  "sell",
  "end",
  "refund",
  "part",
  "dispute",
  "settle",
  "run",
  "run",
  "late_refund",
  "confirm",
  "fail",
  "return",
  "state",
] as const;
const History = fc.record({
  trusted: fc.boolean(),
  steps: fc.array(fc.record({ step: fc.constantFrom(...STEPS), pick: fc.nat(99) }), {
    minLength: 8,
    maxLength: 25,
  }),
});

type Shop = { seller: Seller; plan: number; lines: string[] };

/** Books what is left of a sale, as the commands of refunds do. */
const book = (line: string) =>
  db.execute(sql`
    with due as (
      select s.line_id, s.order_id, s.merchant_id, s.net_cents - s.net_back_cents - s.booked_cents as cents,
        (select count(*) from ledger_entries e where e.line_id = s.line_id and e.account = 'merchant_payable') as earlier
      from merchant_sales s where s.line_id = ${line}
    ), booked as (update merchant_sales s set booked_cents = net_cents - net_back_cents from due d where s.line_id = d.line_id)
    insert into ledger_entries (transfer_id, account, amount_cents, order_id, merchant_id, line_id)
    select 'settle:' || d.line_id || case d.earlier when 0 then '' else ':' || d.earlier + 1 end, a.account, a.sign * d.cents, d.order_id,
      d.merchant_id, d.line_id
    from due d cross join (values ('merchant_share', 1), ('merchant_payable', -1)) a(account, sign) where d.cents <> 0`);

async function refund(line: string | undefined, cents: number): Promise<void> {
  if (!line) return;
  await db.execute(
    sql`update merchant_sales set net_back_cents = least(net_cents, net_back_cents + ${cents}) where line_id = ${line}`,
  );
  await book(line);
}

const setDispute = (line: string, open: boolean) =>
  open
    ? db.execute(sql`
        insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
        select 'dp_' || order_id, order_id, 'pi', 1000, 'fraudulent', 'needs_response', true from merchant_sales where line_id = ${line}
        on conflict (id) do update set is_open = true`)
    : db.execute(
        sql`update disputes set is_open = false where id = (select 'dp_' || order_id from merchant_sales where line_id = ${line})`,
      );

/** A run from its draft to the bank; sales of `refunded` are returned between draft and sending. Two workers send it. */
async function run(refunded?: string): Promise<void> {
  const { run_id: runId } = await prepareRun(staff.viewer);
  await Promise.all([fillRun(runId), fillRun(runId)]);
  await refund(refunded, 10_000);
  await db.execute(sql`
    update payout_runs set state = 'approved', asked_by = ${staff.id}, approved_by = ${other.id}, approved_at = shop_now(),
      approved_cents = (select coalesce(sum(cents), 0) from payouts where run_id = ${runId}) where id = ${runId} and state = 'draft'`);
  const held = await db.execute<{ lineId: string }>(sql`
    select line_id as "lineId" from merchant_sales s where available_at > shop_now()
      or exists (select from disputes d where d.order_id = s.order_id and d.is_open)`);
  await Promise.all([sendRun(runId), sendRun(runId)]);
  const unavailable = await db.execute(sql`
    select l.line_id from payout_lines l join payouts p on p.id = l.payout_id
    where p.run_id = ${runId} and p.state = 'sent' and l.cents > 0 and l.line_id = any(${sql.param(held.map(({ lineId }) => lineId))}::text[])`);
  expect([...unavailable]).toEqual([]);
}

async function end({ seller }: Shop, outcome: "confirmed" | "failed" | "returned"): Promise<void> {
  const [payout] = await db.execute<{ id: string }>(sql`
    select id from payouts where merchant_id = ${seller.merchant.id} and state = ${outcome === "returned" ? "confirmed" : "sent"} order by id limit 1`);
  if (payout) await endPayoutByStaff(staff.viewer, payout.id, { outcome });
}

async function play(shop: Shop, step: (typeof STEPS)[number], pick: number): Promise<void> {
  const line = shop.lines[pick % Math.max(1, shop.lines.length)];
  if (step === "sell") {
    const sold = await createSales(buyer, shop.plan, 1 + (pick % 4));
    for (const one of sold) await book(one);
    if (pick % 3 === 0)
      await db.execute(
        sql`update merchant_sales set available_at = shop_now() + interval '10 days' where line_id = any(${sql.param(sold)}::text[])`,
      );
    shop.lines.push(...sold);
    return;
  }
  if (step === "run") return run();
  if (step === "confirm") return end(shop, "confirmed");
  if (step === "fail") return end(shop, "failed");
  if (step === "return") return end(shop, "returned");
  if (step === "state") {
    await makeStatement(shop.seller.member).catch((error: Error) =>
      expect(error.message).toBe("nothing_to_state"),
    );
    return;
  }
  if (!line) return;
  if (step === "late_refund") return run(line);
  if (step === "refund") return refund(line, 10_000);
  if (step === "part") return refund(line, 1 + pick);
  if (step === "end")
    await db.execute(sql`update merchant_sales set available_at = shop_now() where line_id = ${line}`);
  if (step === "dispute" || step === "settle") await setDispute(line, step === "dispute");
}

it("random histories of sales, refunds, disputes, payouts and statements add up to the cent", {
  timeout: 900_000,
}, async () => {
  for (const { trusted, steps } of fc.sample(History, { numRuns: HISTORIES, seed: 20261130 })) {
    const merchant = await createMerchant({ trust: trusted ? "trusted" : "new" });
    await createPayoutAccount(merchant.id);
    const { plans } = await createProduct({
      merchantId: merchant.id,
      plans: [{ type: "month", keys: 0, priceCents: 1_000 }],
    });
    const shop: Shop = { seller: await createSeller(merchant), plan: plans[0]!.id, lines: [] };
    for (const { step, pick } of steps) await play(shop, step, pick);
    const { balance, available, held, in_transit } = await getMoney(shop.seller);
    const sum = held.reduce((total, { amount }) => total + toSignedCents(amount), 0);
    expect(toSignedCents(available) + sum).toBe(toSignedCents(balance));
    const [owed] = await db.execute<{ cents: number; paid: number; gone: number }>(sql`
      select coalesce(sum(booked_cents - paid_out_cents), 0)::int as cents, coalesce(sum(paid_out_cents), 0)::int as paid,
        (select coalesce(sum(cents), 0)::int from payouts where merchant_id = ${merchant.id} and state in ('sent', 'confirmed')) as gone
      from merchant_sales where merchant_id = ${merchant.id}`);
    expect({ balance: toSignedCents(balance), gone: owed!.gone }).toEqual({
      balance: owed!.cents,
      gone: owed!.paid,
    });
    expect(toSignedCents(in_transit)).toBeGreaterThanOrEqual(0);
    await makeStatement(shop.seller.member).catch(() => {});
    const { items } = await listStatements(shop.seller);
    for (const { statement_id, opening, closing } of items) {
      const { rows } = await getStatement(shop.seller, statement_id, "en");
      expect(
        toSignedCents(opening) + rows.reduce((total, { amount }) => total + toSignedCents(amount), 0),
      ).toBe(toSignedCents(closing));
    }
    if (items[0]) expect(items[0].closing).toBe(balance);
  }
  const broken = await auditSale();
  expect(broken.filter((rule) => /payout|paid out|run sent|ledger|statement/.test(rule))).toEqual([]);
});
