import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createMerchant, createSales, createSeller, type Seller } from "@/db/factories/merchants";
import { createPayoutAccount, createProviderAccount } from "@/db/factories/payouts";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { postMerchantShares } from "@/lib/orders/sales/post-merchant-shares";
import { closeLedger } from "@/lib/payouts/closings/close-ledger";
import { listBalances } from "@/lib/payouts/console/list-balances";
import { listLedger } from "@/lib/payouts/console/list-ledger";
import { getMoney } from "@/lib/payouts/money/get-money";
import { moneyEntriesFile } from "@/lib/payouts/money/list-money-entries";
import { endPayoutByStaff } from "@/lib/payouts/runs/end-payout";
import { fillRun, prepareRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";
import {
  getStatement,
  listStatements,
  statementBlocks,
  statementCsv,
} from "@/lib/payouts/statements/get-statement";
import { makeStatement } from "@/lib/payouts/statements/make-statement";
import { reconcileTransfers } from "@/lib/payouts/transfers/reconcile-transfers";
import { sendTransfers } from "@/lib/payouts/transfers/send-transfers";
import { newId } from "@/lib/platform/crypto/ids";
import { formatPrice, toSignedCents } from "@/lib/platform/money";
import { moveBalance } from "@/lib/platform/stripe/sandbox/connect-transfers";
import { auditSale } from "../setup/audit";
import { type Break, breakConnection } from "../setup/broken-connection";
import { rounds } from "../setup/rounds";
import * as sale from "../setup/sale";
import { clearSandboxFaults, failSandbox } from "../setup/stripe-faults";

const HISTORIES = rounds(1_000, 25);

let staff: StaffUser;
let other: StaffUser;
let buyer: sale.Buyer;

beforeAll(async () => {
  [staff, other] = [await createStaff({ roles: ["finance"] }), await createStaff({ roles: ["finance"] })];
  buyer = await sale.createBuyer();
  await moveBalance(1_000_000_000);
  // A sale is paid by itself, so that most histories pay.
  await db.execute(sql`update payout_settings set minimum_cents = 500`);
});
afterEach(clearSandboxFaults);
afterAll(sale.closeSale);

const STEPS = [
  "sell",
  "sell",
  "end",
  "refund",
  "part",
  "dispute",
  "settle",
  "ask_code",
  "replace",
  "run",
  "run",
  "late_refund",
  "confirm",
  "fail",
  "return",
  "state",
  "reconcile",
] as const;
type Step = {
  step: (typeof STEPS)[number];
  pick: number;
  /** at which write the process is killed; null: it is not */
  kill: Break | null;
  /** what the provider does with the next transfer */
  fault: "500" | "timeout" | "reset" | null;
};
const History = fc.record({
  trusted: fc.boolean(),
  byProvider: fc.boolean(),
  steps: fc.array(
    fc.record({
      step: fc.constantFrom(...STEPS),
      pick: fc.nat(99),
      kill: fc.option(
        fc.record({
          at: fc.integer({ min: 1, max: 25 }),
          when: fc.constantFrom("before" as const, "after" as const),
        }),
        { freq: 2 },
      ),
      fault: fc.option(fc.constantFrom("500" as const, "timeout" as const, "reset" as const), { freq: 2 }),
    }),
    { minLength: 8, maxLength: 25 },
  ),
});

type Shop = { seller: Seller; plan: number; lines: string[]; account: string | null };
const figures = { histories: 0, steps: 0, kills: 0, sales: 0, statements: 0 };

async function report(): Promise<void> {
  const [ended] = await db.execute<{ payouts: number; transfers: number; paid: number }>(sql`
    select (select count(*)::int from payout_attempts) as payouts, (select count(*)::int from sandbox_transfers) as transfers,
      (select coalesce(sum(cents), 0)::float8 from payouts where state = 'confirmed') / 100 as paid`);
  console.log(`payouts model: ${JSON.stringify({ ...figures, ...ended })}`);
}

/** Does a piece of work in a process that is killed at one of its writes, and once more in the next one. */
async function doKilled(kill: Break | null, work: () => Promise<unknown>): Promise<void> {
  if (kill) {
    if (!(await breakConnection(kill, work))) return;
    figures.kills += 1;
  }
  await work();
}
/** Two workers at once do the same. It ends when both have. */
async function doTwice(work: () => Promise<unknown>): Promise<void> {
  for (const result of await Promise.allSettled([work(), work()]))
    if (result.status === "rejected") throw result.reason;
}

/** As the commands of orders do, which lock the order. */
const book = (lines: string[]) =>
  transaction(async (tx) => {
    await tx.execute(sql`
      select from orders where id in (select order_id from merchant_sales where line_id = any(${sql.param(lines)}::text[])) for update`);
    await postMerchantShares(tx, lines);
  });

async function refund(line: string | undefined, cents: number): Promise<void> {
  if (!line) return;
  await db.execute(
    sql`update merchant_sales set net_back_cents = least(net_cents, net_back_cents + ${cents}) where line_id = ${line}`,
  );
  await book([line]);
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

/** The buyer asks for another code of a sale, or is refused one. */
async function askForCode({ plan }: Shop, line: string, open: boolean): Promise<void> {
  if (!open) {
    await db.execute(sql`
      update replacement_requests set state = 'refused', decided_at = shop_now(), decided_by = ${staff.id}
      where state = 'asked' and key_id in (select id from keys where order_line_id = ${line})`);
    return;
  }
  const [key] = await db.execute(sql`select from keys where order_line_id = ${line}`);
  if (!key) {
    await createKeys(plan, 1);
    await db.execute(sql`
      update keys set state = 'reserved', order_line_id = ${line}, slot = 1
      where id = (select id from keys where plan_id = ${plan} and state = 'available' limit 1)`);
    await db.execute(
      sql`update keys set state = 'assigned', assigned_at = shop_now() where order_line_id = ${line}`,
    );
  }
  await db.execute(sql`
    insert into replacement_requests (id, key_id, user_id, reason)
    select ${newId("rpl")}, id, ${buyer.id}, 'It fails.' from keys where order_line_id = ${line} on conflict do nothing`);
}

/** Lines of which nothing may be paid now. */
const findHeld = async () =>
  (
    await db.execute<{ lineId: string }>(sql`
      select line_id as "lineId" from merchant_sales s where booked_cents <> paid_out_cents and (available_at > shop_now()
        or exists (select from disputes d where d.order_id = s.order_id and d.is_open)
        or exists (select from replacement_requests q join keys k on k.id = q.key_id where k.order_line_id = s.line_id and q.state = 'asked'))`)
  ).map(({ lineId }) => lineId);

const runsIn = async (state: string): Promise<string[]> =>
  (await db.execute<{ id: string }>(sql`select id from payout_runs where state = ${state}`)).map(
    ({ id }) => id,
  );
const fillRuns = async () => {
  for (const id of await runsIn("preparing")) await doTwice(() => fillRun(id));
};
const sendRuns = async () => {
  for (const id of await runsIn("approved")) await doTwice(() => sendRun(id));
};
const approve = () =>
  db.execute(sql`
    update payout_runs r set state = 'approved', asked_by = ${staff.id}, approved_by = ${other.id}, approved_at = shop_now(),
      approved_cents = (select coalesce(sum(cents), 0) from payouts where run_id = r.id) where state = 'draft'`);

/** A run from its draft to the bank or the provider; sales of `refunded` are returned between draft and sending. Two workers do each. */
async function run({ kill, fault }: Pick<Step, "kill" | "fault">, refunded?: string): Promise<void> {
  await prepareRun(staff.viewer);
  await doKilled(kill, fillRuns);
  await refund(refunded, 10_000);
  await approve();
  const held = await findHeld();
  const runs = await runsIn("approved");
  await doKilled(kill, sendRuns);
  const unavailable = await db.execute(sql`
    select l.line_id from payout_lines l join payouts p on p.id = l.payout_id
    where p.state = 'sent' and l.cents > 0 and p.run_id = any(${sql.param(runs)}::text[]) and l.line_id = any(${sql.param(held)}::text[])`);
  expect([...unavailable]).toEqual([]);
  if (fault) failSandbox("create_transfer", { when: "after", as: fault });
  await doKilled(kill, () => doTwice(sendTransfers));
}

async function end(
  { seller, account }: Shop,
  outcome: "confirmed" | "failed" | "returned",
  kill: Break | null,
): Promise<void> {
  const from = outcome === "returned" ? "confirmed" : "sent";
  const [payout] = await db.execute<{ id: string }>(sql`
    select id from payouts where merchant_id = ${seller.merchant.id} and state = ${from} order by id limit 1`);
  // What became of a transfer the provider says.
  if (!payout || (account && outcome !== "returned")) return;
  await doKilled(kill, () =>
    endPayoutByStaff(staff.viewer, payout.id, { outcome }).catch((error: Error) => {
      // The killed process had recorded it.
      if (!kill || error.message !== "payout_state") throw error;
    }),
  );
}

async function play(shop: Shop, { step, pick, kill, fault }: Step): Promise<void> {
  const line = shop.lines[pick % Math.max(1, shop.lines.length)];
  if (step === "sell") {
    const sold = await createSales(buyer, shop.plan, 1 + (pick % 4));
    await doKilled(kill, () => book(sold));
    if (pick % 3 === 0)
      await db.execute(
        sql`update merchant_sales set available_at = shop_now() + interval '10 days' where line_id = any(${sql.param(sold)}::text[])`,
      );
    shop.lines.push(...sold);
    figures.sales += sold.length;
    return;
  }
  if (step === "run") return run({ kill, fault });
  if (step === "confirm") return end(shop, "confirmed", kill);
  if (step === "fail") return end(shop, "failed", kill);
  if (step === "return") return end(shop, "returned", kill);
  if (step === "reconcile") {
    await doKilled(kill, reconcileTransfers);
    return;
  }
  if (step === "state")
    return doKilled(kill, () =>
      makeStatement(shop.seller.member).catch((error: Error) => {
        if (error.message !== "nothing_to_state") throw error;
      }),
    );
  if (!line) return;
  if (step === "late_refund") return run({ kill, fault }, line);
  if (step === "refund") return refund(line, 10_000);
  if (step === "part") return refund(line, 1 + pick);
  if (step === "end")
    await db.execute(sql`update merchant_sales set available_at = shop_now() where line_id = ${line}`);
  if (step === "dispute" || step === "settle") await setDispute(line, step === "dispute");
  if (step === "ask_code" || step === "replace") await askForCode(shop, line, step === "ask_code");
}

/** What killed processes left undone is done, as by the worker. */
async function finish(): Promise<void> {
  clearSandboxFaults();
  await fillRuns();
  await approve();
  await sendRuns();
  await sendTransfers();
}

const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + toSignedCents(amount), 0);

/** Of a merchant: the balance is the sum of its entries, and what was sent is what payouts and the provider say. */
async function expectNothingLost({ seller, account }: Shop): Promise<void> {
  const { id } = seller.merchant;
  const { balance, available, held, in_transit } = await getMoney(seller);
  expect(sumOf([available, ...held.map(({ amount }) => amount)])).toBe(toSignedCents(balance));
  const [owed] = await db.execute<{ cents: number; paid: number; gone: number; there: number }>(sql`
    select coalesce(sum(booked_cents - paid_out_cents), 0)::int as cents, coalesce(sum(paid_out_cents), 0)::int as paid,
      (select coalesce(sum(cents), 0)::int from payouts where merchant_id = ${id} and state in ('sent', 'confirmed')) as gone,
      (select coalesce(sum(amount_cents - reversed_cents), 0)::int from sandbox_transfers where account_id = ${account ?? ""}) as there
    from merchant_sales where merchant_id = ${id}`);
  const { cents, paid, gone, there } = owed!;
  expect({ balance: toSignedCents(balance), gone }).toEqual({ balance: cents, gone: paid });
  expect(toSignedCents(in_transit)).toBeGreaterThanOrEqual(0);
  if (account) expect({ there, in_transit }).toEqual({ there: paid, in_transit: 0 });
  const file = await new Response(moneyEntriesFile(seller, { time_zone: "UTC" } as never, "en")).text();
  const entries = file
    .split("\r\n")
    .slice(1, -1)
    .map((line) => Number(line.split(",")[3]));
  expect(sumOf(entries)).toBe(toSignedCents(balance));
}

/** Opening and lines make the closing; the call, the file and the PDF have the same cents. */
async function expectStatements({ seller }: Shop): Promise<void> {
  await makeStatement(seller.member).catch(() => {});
  const { items } = await listStatements(seller);
  for (const { statement_id, opening, closing } of items) {
    const statement = await getStatement(seller, statement_id, "en");
    const amounts = statement.rows.map(({ amount }) => amount);
    expect(sumOf([opening, ...amounts])).toBe(toSignedCents(closing));
    const csv = (await statementCsv(seller, statement_id, "en")).split("\r\n").slice(1, -1);
    expect(csv.map((line) => Number(line.split(",")[3]))).toEqual([opening, ...amounts, closing]);
    const table = statementBlocks(seller, statement, "en").find((block) => block.kind === "table");
    expect(table!.rows.map((cells) => cells[2]!.text)).toEqual(
      amounts.map((amount) => formatPrice(toSignedCents(amount), "en")),
    );
    figures.statements += 1;
  }
  if (items[0]) expect(items[0].closing).toBe((await getMoney(seller)).balance);
}

it("random histories of sales, refunds, disputes, replacements and payouts, killed at any write, add up to the cent", {
  timeout: 3_600_000,
}, async () => {
  for (const { trusted, byProvider, steps } of fc.sample(History, { numRuns: HISTORIES, seed: 20261130 })) {
    const merchant = await createMerchant({ trust: trusted ? "trusted" : "new" });
    const account = byProvider ? await createProviderAccount(merchant.id) : null;
    if (!account) await createPayoutAccount(merchant.id);
    const { plans } = await createProduct({
      merchantId: merchant.id,
      plans: [{ type: "month", keys: 0, priceCents: 1_000 }],
    });
    const shop: Shop = { seller: await createSeller(merchant), plan: plans[0]!.id, lines: [], account };
    for (const step of steps) await play(shop, step);
    await finish();
    await expectNothingLost(shop);
    await expectStatements(shop);
    // The runs of later histories leave it out.
    await db.execute(sql`update merchants set state = 'ended' where id = ${merchant.id}`);
    figures.histories += 1;
    figures.steps += steps.length;
    if (figures.histories % 100 === 0) await report();
  }
  await report();
  expect(figures.kills).toBeGreaterThan(HISTORIES / 2);
  expect(await reconcileTransfers()).toMatchObject({ recorded: 0, unexplained: 0 });
  const sums = async () => ({
    ...(await listLedger({ cursor: undefined })),
    items: [],
    balances: await listBalances(),
  });
  const open = await sums();
  await db.execute(sql`update shop_clock set shift = '2 hours'`);
  await doTwice(closeLedger);
  expect(await sums()).toEqual(open);
  expect(open.imbalance).toBe(0);
  const [left] = await db.execute(
    sql`select from ledger_entries where id > (select ledger_closed_id from payout_settings)`,
  );
  expect(left).toBeUndefined();
  const broken = await auditSale();
  expect(broken.filter((rule) => /payout|paid out|run sent|ledger|statement|transfer/.test(rule))).toEqual(
    [],
  );
});
