import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db, type Tx, transaction } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { type CreatedMerchant, createMerchant, createSales, createSeller } from "@/db/factories/merchants";
import { createPayoutAccount, removeDebts } from "@/db/factories/payouts";
import { createStaff, endAllMemberships, type StaffUser } from "@/db/factories/staff";
import { createWebhookEndpoint } from "@/db/factories/webhooks";
import { postMerchantShares } from "@/lib/orders/sales/post-merchant-shares";
import { LedgerInput } from "@/lib/payouts/console/contract";
import { listLedger } from "@/lib/payouts/console/list-ledger";
import { writeOff } from "@/lib/payouts/console/write-off";
import { MoneyEntriesInput } from "@/lib/payouts/money/contract";
import { getMoney } from "@/lib/payouts/money/get-money";
import { listMoneyEntries } from "@/lib/payouts/money/list-money-entries";
import { askForRun, cancelRun } from "@/lib/payouts/runs/approve-run";
import { endPayoutByStaff } from "@/lib/payouts/runs/end-payout";
import { fillRun, prepareRun, prepareWeeklyRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";
import { isShopError } from "@/lib/platform/errors";
import { auditSale } from "../setup/audit";
import * as sale from "../setup/sale";
import { runAsCall } from "../setup/second-person";
import { decideSeen } from "../setup/seen";
import { collectStatements } from "../setup/sent-statements";
import { untilStatementWaits } from "../setup/waiting-statement";

let asking: StaffUser;
let deciding: StaffUser;
let buyer: sale.Buyer;

beforeAll(async () => {
  buyer = await sale.createBuyer();
});
beforeEach(async () => {
  await endAllMemberships();
  [asking, deciding] = [await createStaff({ roles: ["finance"] }), await createStaff({ roles: ["finance"] })];
});
afterAll(sale.closeSale);

/** A trusted merchant with an account and sales of $8.50 that are booked and available. */
async function createPaidMerchant(sales: number, { account = true } = {}) {
  const merchant = await createMerchant({ trust: "trusted" });
  if (account) await createPayoutAccount(merchant.id);
  const { plans } = await createProduct({
    merchantId: merchant.id,
    plans: [{ type: "month", keys: 0, priceCents: 1_000 }],
  });
  const lines = await createSales(buyer, plans[0]!.id, sales);
  await book(lines);
  return { merchant, lines };
}
const book = (lines: string[]) =>
  db.execute(sql`
    with booked as (update merchant_sales s set booked_cents = net_cents - net_back_cents where line_id = any(${sql.param(lines)}::text[])
      returning s.line_id, s.merchant_id, s.order_id, s.net_cents - s.net_back_cents - coalesce((select -sum(e.amount_cents) from ledger_entries e
        where e.line_id = s.line_id and e.account = 'merchant_payable'), 0) as cents)
    insert into ledger_entries (transfer_id, account, amount_cents, order_id, merchant_id, line_id)
    select 'settle:' || b.line_id || case when b.cents < 0 then ':2' else '' end, a.account, a.sign * b.cents, b.order_id, b.merchant_id, b.line_id
    from booked b cross join (values ('merchant_share', 1), ('merchant_payable', -1)) a(account, sign)`);
const refund = async (line: string) => {
  await db.execute(
    sql`update merchant_sales set net_back_cents = net_cents, state = 'refunded' where line_id = ${line}`,
  );
  await book([line]);
};

async function prepare(): Promise<string> {
  const { run_id } = await prepareRun(asking.viewer);
  await fillRun(run_id);
  return run_id;
}
async function ask(runId: string): Promise<string> {
  const error = await runAsCall(asking.viewer, () => askForRun(runId)).catch((thrown: unknown) => thrown);
  if (!isShopError(error, "approval_required")) throw error;
  return error.issues![0]!.message;
}
const decide = ({ viewer }: StaffUser, id: string) => decideSeen(viewer, { id, decision: "approve" });
async function pay(): Promise<string> {
  const runId = await prepare();
  await decide(deciding, await ask(runId));
  await sendRun(runId);
  return runId;
}
type Payout = { id: string; state: string; cents: number; lines: number };
const payoutOf = async (runId: string, { id }: CreatedMerchant): Promise<Payout | undefined> =>
  (
    await db.execute<Payout>(sql`
      select p.id, p.state, p.cents, (select count(*)::int from payout_lines l where l.payout_id = p.id) as lines
      from payouts p where p.run_id = ${runId} and p.merchant_id = ${id}`)
  )[0];
const stateOf = async (runId: string) =>
  (await db.execute<{ state: string }>(sql`select state from payout_runs where id = ${runId}`))[0]?.state;
const accountsOf = async ({ id }: CreatedMerchant) =>
  Object.fromEntries(
    (
      await db.execute<{ account: string; cents: number }>(sql`
        select account, sum(amount_cents)::int as cents from ledger_entries where merchant_id = ${id} group by account`)
    ).map(({ account, cents }) => [account, cents]),
  );

it("a run pays what is available once, and what was refunded later is taken back from the next", async () => {
  const { merchant, lines } = await createPaidMerchant(4);
  const runId = await pay();
  const payout = await payoutOf(runId, merchant);
  expect(payout).toMatchObject({ state: "sent", cents: 3_400, lines: 4 });
  expect(await getMoney({ merchant })).toMatchObject({ balance: 0, available: 0, in_transit: 34 });
  expect(await payoutOf(await prepare(), merchant)).toBeUndefined();
  await endPayoutByStaff(asking.viewer, payout!.id, { outcome: "confirmed" });
  expect(await stateOf(runId)).toBe("closed");
  expect(await accountsOf(merchant)).toMatchObject({
    merchant_payable: 0,
    payouts_in_transit: 0,
    bank_cash: -3_400,
  });
  await refund(lines[0]!);
  expect(await getMoney({ merchant })).toMatchObject({ balance: -8.5, available: -8.5, in_transit: 0 });
  const more = await createSales(buyer, (await planOf(merchant))!, 4);
  await book(more);
  const next = await payoutOf(await pay(), merchant);
  expect(next).toMatchObject({ state: "sent", cents: 2_550, lines: 5 });
  expect(await getMoney({ merchant })).toMatchObject({ balance: 0, in_transit: 25.5 });
});
const planOf = async ({ id }: CreatedMerchant) =>
  (
    await db.execute<{ id: number }>(
      sql`select v.id from plans v join products p on p.id = v.product_id where p.merchant_id = ${id}`,
    )
  )[0]?.id;

it("what was refunded, or is asked back, between draft and sending drops out", async () => {
  const { merchant, lines } = await createPaidMerchant(6);
  const runId = await prepare();
  const approval = await ask(runId);
  await refund(lines[0]!);
  const { merchant: other } = await createPaidMerchant(4);
  await decide(deciding, approval);
  await db.execute(sql`
    insert into refund_requests (id, order_line_id, user_id, amount_cents, answer_by)
    values ('rrq_held', ${lines[1]!}, ${buyer.id}, 1000, shop_now() + interval '2 days')`);
  await sendRun(runId);
  expect(await payoutOf(runId, merchant)).toMatchObject({ state: "sent", cents: 3_400, lines: 4 });
  expect(await payoutOf(runId, other)).toBeUndefined();
});

it("a payout of which too little is left drops out, and so does one whose account changes", async () => {
  const [few, changing] = [await createPaidMerchant(3), await createPaidMerchant(3)];
  const runId = await prepare();
  const approval = await ask(runId);
  await refund(few.lines[0]!);
  const account = await createPayoutAccount(changing.merchant.id);
  await decide(deciding, approval);
  await db.execute(sql`
    insert into payout_accounts select 'pac_waits', merchant_id, method, scheme, country, sealed, vault_key_id, last_four, created_by,
      shop_now(), shop_now() + interval '48 hours' from payout_accounts where id = ${account}`);
  await sendRun(runId);
  expect(await payoutOf(runId, few.merchant)).toMatchObject({ state: "dropped", lines: 0 });
  expect(await payoutOf(runId, changing.merchant)).toMatchObject({ state: "dropped" });
  expect(await getMoney(few)).toMatchObject({ available: 17, in_transit: 0 });
  expect(await getMoney(changing)).toMatchObject({
    available: 25.5,
    next_payout: { obstacle: "account_waits" },
  });
});

it("a merchant whose trader file holds its payouts is in no run, and is once the file is complete", async () => {
  const [before, during] = [await createPaidMerchant(4), await createPaidMerchant(4)];
  const hold = ({ id }: CreatedMerchant) =>
    db.execute(sql`update merchants set trade_held_at = shop_now() where id = ${id}`);
  await hold(before.merchant);
  const runId = await prepare();
  expect(await payoutOf(runId, before.merchant)).toBeUndefined();
  await hold(during.merchant); // between draft and approval
  await decide(deciding, await ask(runId));
  await sendRun(runId);
  expect(await payoutOf(runId, during.merchant)).toMatchObject({ state: "dropped", lines: 0 });
  const owner = await createSeller(before.merchant);
  expect((await getMoney(owner)).next_payout).toMatchObject({ obstacle: "trade_file", on: null });
  await db.execute(sql`update merchants set trade_held_at = null where id = ${before.merchant.id}`);
  expect(await payoutOf(await pay(), before.merchant)).toMatchObject({ state: "sent", cents: 3_400 });
});

it("what fails or comes back is owed again, once", async () => {
  const { merchant } = await createPaidMerchant(4);
  const first = await payoutOf(await pay(), merchant);
  const end = (id: string, outcome: "confirmed" | "failed" | "returned") =>
    endPayoutByStaff(asking.viewer, id, { outcome, reason: "AC04" });
  await end(first!.id, "failed");
  await expect(end(first!.id, "failed")).rejects.toThrow("payout_state");
  await expect(end(first!.id, "confirmed")).rejects.toThrow("payout_state");
  expect(await getMoney({ merchant })).toMatchObject({ available: 34, in_transit: 0 });
  const second = await payoutOf(await pay(), merchant);
  await expect(end(second!.id, "returned")).rejects.toThrow("payout_state");
  await end(second!.id, "confirmed");
  await end(second!.id, "returned");
  expect(await getMoney({ merchant })).toMatchObject({ available: 34, in_transit: 0 });
  expect(await accountsOf(merchant)).toMatchObject({ bank_cash: 0, payouts_in_transit: 0 });
  await expect(end("po_none", "failed")).rejects.toThrow("payout_unknown");
});

it("the person who asked cannot approve a run, also not in SQL, and two who approve at once send one", async () => {
  const { merchant } = await createPaidMerchant(4);
  const runId = await prepare();
  const approval = await ask(runId);
  await expect(decide(asking, approval)).rejects.toThrow("own_approval");
  await expect(
    db.execute(sql`update payout_runs set state = 'approved', asked_by = ${asking.id}, approved_by = ${asking.id}, approved_at = shop_now(),
      approved_cents = 3400 where id = ${runId}`),
  ).rejects.toMatchObject({ cause: { constraint_name: "payout_runs_two_people" } });
  await expect(
    db.execute(sql`update payouts set state = 'sent' where run_id = ${runId}`),
  ).rejects.toMatchObject({ cause: { constraint_name: "payouts_approved" } });
  const third = await createStaff({ roles: ["finance"] });
  const results = await Promise.allSettled([decide(deciding, approval), decide(third, approval)]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await Promise.all([sendRun(runId), sendRun(runId)]);
  expect(await payoutOf(runId, merchant)).toMatchObject({ state: "sent", cents: 3_400 });
  const [{ sent }] = (await db.execute<{ sent: number }>(
    sql`select count(*)::int as sent from payout_attempts t join payouts p on p.id = t.payout_id where p.merchant_id = ${merchant.id}`,
  )) as [{ sent: number }];
  expect(sent).toBe(1);
});

it("where only one person could decide, a run is still not paid by that person alone", async () => {
  await createPaidMerchant(4);
  const runId = await prepare();
  const approval = await ask(runId);
  await db.execute(
    sql`update staff_members set ended_at = shop_now(), ended_by = 'test' where user_id = ${deciding.id}`,
  );
  await db.execute(sql`update staff_members set created_at = created_at - interval '10 days'`);
  await expect(decide(asking, approval)).rejects.toThrow("own_approval");
  expect(await stateOf(runId)).toBe("draft");
});

it("a cancelled run pays nothing, and its sales are in the next", async () => {
  const { merchant } = await createPaidMerchant(4);
  const runId = await prepare();
  const approval = await ask(runId);
  await cancelRun(asking.viewer, runId);
  await expect(decide(deciding, approval)).rejects.toThrow();
  await expect(cancelRun(asking.viewer, runId)).rejects.toThrow("payout_run_state");
  await expect(cancelRun(asking.viewer, "run_none")).rejects.toThrow("payout_run_unknown");
  expect(await payoutOf(await prepare(), merchant)).toMatchObject({ state: "draft", cents: 3_400 });
});

it("a run mails each owner once and tells each endpoint, with as many statements for five merchants as for one", async () => {
  const sendTo = async (count: number) => {
    const paid: CreatedMerchant[] = [];
    const owners: string[] = [];
    for (let i = 0; i < count; i++) {
      const { merchant } = await createPaidMerchant(4);
      await createWebhookEndpoint(merchant);
      owners.push((await createSeller(merchant)).email, (await createSeller(merchant)).email);
      await createSeller(merchant, { role: "member" });
      paid.push(merchant);
    }
    const runId = await prepare();
    await decide(deciding, await ask(runId));
    const statements = await collectStatements(() => sendRun(runId));
    await sendRun(runId);
    const mails = await db.execute<{ to: string; job: string | null }>(sql`
      select m.to_address as to, j.key as job from mails m left join graphile_worker.jobs j on j.key = m.id
      where m.event = 'payout-notice' and m.refs->>'payoutId' in (select id from payouts where run_id = ${runId})
      order by m.to_address`);
    const told = await db.execute<{ merchant: string; deliveries: number; amount: number }>(sql`
      select w.merchant_id as merchant, (w.data->>'amount')::float8 as amount,
        (select count(*)::int from webhook_deliveries d where d.message_id = w.id) as deliveries
      from webhook_messages w where w.type = 'payout.sent' and w.object in (select 'payout:' || id from payouts where run_id = ${runId})`);
    const ofRun = paid.map(({ id }) => id);
    expect(mails.filter(({ job }) => job !== null).map(({ to }) => to)).toEqual(
      expect.arrayContaining(owners),
    );
    expect(mails).toHaveLength(owners.length);
    expect(told).toHaveLength(count);
    expect(told).toEqual(
      expect.arrayContaining(ofRun.map((merchant) => ({ merchant, deliveries: 1, amount: 34 }))),
    );
    return statements.length;
  };
  const ofOne = await sendTo(1);
  expect(await sendTo(5)).toBe(ofOne);
});

it("what a payout paid stands together in the ledger and in the merchant's account, with its number, sum and day", async () => {
  const { merchant, lines } = await createPaidMerchant(4);
  const runId = await pay();
  const { id } = (await payoutOf(runId, merchant))!;
  await endPayoutByStaff(asking.viewer, id, { outcome: "confirmed" });
  const unpaid = await createSales(buyer, (await planOf(merchant))!, 2);
  await book(unpaid);
  const owner = await createSeller(merchant);
  const read = async (input: object) =>
    (await listMoneyEntries(owner, MoneyEntriesInput.parse(input), "en")).items;
  const payout = { payout_id: id, run_id: runId, state: "confirmed", amount: 34 };
  const together = await read({ payout_id: id });
  expect(together.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["payout", -34],
    ...lines.map(() => ["sale", 8.5]),
  ]);
  for (const entry of together) expect(entry.payout).toMatchObject(payout);
  const all = await read({});
  expect(
    all
      .filter((entry) => entry.payout === null)
      .map(({ sale_id }) => sale_id)
      .sort(),
  ).toEqual(unpaid.sort());
  const other = await createSeller(await createMerchant());
  expect((await listMoneyEntries(other, MoneyEntriesInput.parse({ payout_id: id }), "en")).items).toEqual([]);

  const { items, imbalance } = await listLedger(LedgerInput.parse({ payout_id: id }));
  expect(imbalance).toBe(0);
  const sums = new Map<string, number>();
  for (const { transfer_id, debit, credit, amount, payout: of } of items) {
    sums.set(transfer_id, (sums.get(transfer_id) ?? 0) + Math.round(100 * ((debit ?? 0) - (credit ?? 0))));
    expect([amount, of]).toEqual([
      transfer_id.startsWith("payout:") ? 34 : 8.5,
      expect.objectContaining(payout),
    ]);
  }
  expect([...sums.keys()].sort()).toEqual(
    [`payout:${id}:1`, `payout:${id}:1:paid`, ...lines.map((line) => `settle:${line}`)].sort(),
  );
  expect([...sums.values()].every((cents) => cents === 0)).toBe(true);
  // Entries of a transfer follow each other.
  const order = items.map(({ transfer_id }) => transfer_id);
  expect(order.filter((one, index) => one !== order[index - 1])).toHaveLength(sums.size);
  const of = await listLedger(LedgerInput.parse({ account: "bank_cash" }));
  expect(of.items.every(({ account }) => account === "bank_cash")).toBe(true);
});

it("the weekly run is for the merchants of the day with enough and with an account, and is prepared once", async () => {
  const [due, otherDay, choosy, without] = [
    await createPaidMerchant(4),
    await createPaidMerchant(4),
    await createPaidMerchant(4),
    await createPaidMerchant(4, { account: false }),
  ];
  await db.execute(
    sql`delete from payout_lines where payout_id in (select id from payouts where state = 'draft')`,
  );
  await db.execute(sql`
    insert into payout_terms (merchant_id, weekday, threshold_cents)
    select m.id, (extract(isodow from shop_now() at time zone 'UTC')::int + m.days - 1) % 7 + 1, m.cents
    from (values (${due.merchant.id}, 0, 3400), (${otherDay.merchant.id}, 1, 2500), (${choosy.merchant.id}, 0, 3401),
      (${without.merchant.id}, 0, 2500)) m(id, days, cents)`);
  await prepareWeeklyRun();
  await prepareWeeklyRun();
  const [run] = await db.execute<{ id: string; state: string }>(
    sql`select id, state from payout_runs where origin = 'weekly'`,
  );
  expect(run).toMatchObject({ state: "draft" });
  const paid = await Promise.all(
    [due, otherDay, choosy, without].map(async ({ merchant }) => (await payoutOf(run!.id, merchant))?.cents),
  );
  expect(paid).toEqual([3_400, undefined, undefined, undefined]);
});

it("a weekly run that was stopped after a batch goes on the next day, and keeps nobody from the run of that day", async () => {
  await sale.setClockAhead("7 days"); // no test has a run of that day
  const [last, nextDay] = [await createPaidMerchant(4), await createPaidMerchant(4)];
  const { merchant } = await createPaidMerchant(4);
  // A batch of merchants before all others: the first is due, the others have no account.
  const batch = Array.from({ length: 500 }, (_, n) => `mch_0${String(n).padStart(4, "0")}`);
  await db.execute(sql`
    insert into merchants (id, handle, name, state, trust) select b.id, replace(b.id, '_', '-'), b.id, 'active', 'trusted'
    from unnest(${sql.param(batch)}::text[]) b(id)`);
  const lines = await createSales(buyer, (await planOf(merchant))!, 500);
  await db.execute(sql`
    update merchant_sales s set merchant_id = b.merchant, net_cents = 3400, booked_cents = 3400
    from unnest(${sql.param(lines)}::text[], ${sql.param(batch)}::text[]) b(line, merchant) where s.line_id = b.line`);
  await createPayoutAccount(batch[0]!);
  await db.execute(sql`
    insert into payout_terms (merchant_id, weekday, threshold_cents)
    select m.id, (extract(isodow from shop_now() at time zone 'UTC')::int + m.days - 1) % 7 + 1, 2500
    from (values (${batch[0]!}, 0), (${last.merchant.id}, 0), (${nextDay.merchant.id}, 1)) m(id, days)`);
  await db.execute(
    sql.raw(`
    create function stop_run() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$;
    create trigger stop_run before insert on payouts for each row when (new.merchant_id = '${last.merchant.id}') execute function stop_run()`),
  );
  await expect(prepareWeeklyRun()).rejects.toMatchObject({ cause: { message: "stopped" } });
  await db.execute(sql.raw("drop trigger stop_run on payouts; drop function stop_run()"));
  const runs = async () => [
    ...(await db.execute<{ id: string; state: string; merchants: string[] }>(sql`
      select r.id, r.state, (select array_agg(p.merchant_id order by p.merchant_id) from payouts p where p.run_id = r.id) as merchants
      from payout_runs r where r.origin = 'weekly' and r.created_at > shop_now() - interval '2 days' order by r.created_at`)),
  ];
  expect(await runs()).toMatchObject([{ state: "preparing", merchants: [batch[0]] }]);
  await sale.setClockAhead("8 days");
  await prepareWeeklyRun();
  expect(await runs()).toMatchObject([
    { state: "draft", merchants: expect.arrayContaining([batch[0], last.merchant.id]) },
    { state: "draft", merchants: expect.arrayContaining([nextDay.merchant.id]) },
  ]);
  await sale.setClockAhead("0");
  await removeDebts(batch);
});

it("a refund in the moment of a write-off keeps the ledger and the sales the same: the write-off is asked for again", async () => {
  const { merchant, lines } = await createPaidMerchant(4);
  const paid = await payoutOf(await pay(), merchant);
  await endPayoutByStaff(asking.viewer, paid!.id, { outcome: "confirmed" });
  const giveBack = async (tx: Tx, cents: number) => {
    await tx.execute(sql`update merchant_sales set net_back_cents = ${cents} where line_id = ${lines[0]!}`);
    await postMerchantShares(tx, [lines[0]!]);
  };
  await transaction((tx) => giveBack(tx, 400));
  await db.execute(sql`update merchants set state = 'ended' where id = ${merchant.id}`);
  const askToWriteOff = async (): Promise<string> => {
    const error = await runAsCall(asking.viewer, () => writeOff(merchant.id)).catch((e: unknown) => e);
    if (!isShopError(error, "approval_required")) throw error;
    return error.issues![0]!.message;
  };
  const debts = async () =>
    (
      await db.execute<{ ledger: number; sales: number }>(sql`
        select (select sum(amount_cents)::int from ledger_entries where merchant_id = ${merchant.id} and account = 'merchant_payable') as ledger,
          (select sum(paid_out_cents - booked_cents)::int from merchant_sales where merchant_id = ${merchant.id}) as sales`)
    )[0];
  const approval = await askToWriteOff();
  let decided: Promise<unknown> | undefined;
  await transaction(async (tx) => {
    await giveBack(tx, 850);
    decided = decide(deciding, approval).catch((error: unknown) => error);
    await untilStatementWaits();
  });
  const result = await decided;
  expect(await debts()).toEqual({ ledger: 850, sales: 850 });
  expect(isShopError(result, "no_debt")).toBe(true);
  await decide(deciding, await askToWriteOff());
  expect(await debts()).toEqual({ ledger: 0, sales: 0 });
});

it("the audit of the whole database finds nothing wrong with payouts", async () => {
  const broken = await auditSale();
  expect(broken.filter((rule) => /payout|paid out|run sent|ledger/.test(rule))).toEqual([]);
});
