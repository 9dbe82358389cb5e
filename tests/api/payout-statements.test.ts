import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as getCsv } from "@/app/api/v1/merchant/money/statements/[id]/csv/route";
import { GET as getPdf } from "@/app/api/v1/merchant/money/statements/[id]/pdf/route";
import { GET as getOne } from "@/app/api/v1/merchant/money/statements/[id]/route";
import { GET as getAll, POST as makeOne } from "@/app/api/v1/merchant/money/statements/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSales, createSeller, type Seller } from "@/db/factories/merchants";
import { listLedger } from "@/lib/payouts/console/list-ledger";
import { getStatement, statementBlocks } from "@/lib/payouts/statements/get-statement";
import { makeMonthlyStatements } from "@/lib/payouts/statements/make-statement";
import { toSignedCents } from "@/lib/platform/money";
import { auditSale } from "../setup/audit";
import * as sale from "../setup/sale";
import { call } from "./call";

let seller: Seller;
let other: Seller;
let lines: string[];

beforeAll(async () => {
  seller = await createSeller(await createMerchant());
  other = await createSeller(await createMerchant());
  const { plans } = await createProduct({
    merchantId: seller.merchant.id,
    plans: [{ type: "month", keys: 0, priceCents: 1_000 }],
  });
  lines = await createSales(await sale.createBuyer(), plans[0]!.id, 5);
  await book(lines, "");
});
afterAll(sale.closeSale);

const book = (ids: string[], suffix: string) =>
  db.execute(sql`
    with booked as (update merchant_sales set booked_cents = net_cents - net_back_cents where line_id = any(${sql.param(ids)}::text[])
      returning line_id, merchant_id, order_id, case ${suffix} when '' then net_cents else -net_back_cents end as cents)
    insert into ledger_entries (transfer_id, account, amount_cents, order_id, merchant_id, line_id)
    select 'settle:' || b.line_id || ${suffix}, a.account, a.sign * b.cents, b.order_id, b.merchant_id, b.line_id
    from booked b cross join (values ('merchant_share', 1), ('merchant_payable', -1)) a(account, sign)`);

const path = "/merchant/money/statements";
const make = async () =>
  (await call(makeOne, path, { method: "POST", headers: seller.headers, body: {} })).body;
const read = async (id: string, headers = seller.headers) =>
  (await call(getOne, `${path}/${id}`, { headers, params: { id } })).body;

it("a statement goes on where the one before ended, and opening and lines make its closing", async () => {
  const first = (await read((await make()).data.statement_id)).data;
  expect(first).toMatchObject({ number: 1, opening: 0, closing: 42.5, lines: 5, from: null });
  expect(first.held).toEqual([
    { reason: "reserve", until: expect.stringMatching(/^20/), amount: 4.25, sales: 5 },
  ]);
  expect((await make()).code).toBe("40968");
  await db.execute(
    sql`update merchant_sales set net_back_cents = net_cents, state = 'refunded' where line_id = ${lines[0]!}`,
  );
  await book([lines[0]!], ":2");
  const second = (await read((await make()).data.statement_id)).data;
  expect(second).toMatchObject({ number: 2, opening: 42.5, closing: 34, lines: 1, from: first.to });
  expect(second.rows).toMatchObject([{ kind: "return", amount: -8.5, sale_id: lines[0] }]);
});

it("call, CSV and PDF have the same cents", async () => {
  const { items } = (await call(getAll, path, { headers: seller.headers })).body.data;
  const id: string = items[1].statement_id;
  const { rows, opening, closing } = (await read(id)).data;
  const request = new Request(`http://localhost:3000/api/v1${path}/${id}/csv`, {
    headers: { host: "localhost:3000", ...seller.headers },
  });
  const csv = await (await getCsv(request, { params: Promise.resolve({ id }) })).text();
  const amounts = csv
    .split("\r\n")
    .slice(1, -1)
    .map((line) => Number(line.split(",")[3]));
  expect(amounts).toEqual([opening, ...rows.map(({ amount }: { amount: number }) => amount), closing]);
  const texts = JSON.stringify(statementBlocks(seller, await getStatement(seller, id, "en"), "en"));
  expect(texts.match(/\$8\.50/g)).toHaveLength(rows.length);
  expect(texts).toContain("$42.50");
  const pdf = await getPdf(request, { params: Promise.resolve({ id }) });
  expect(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
  const sum = rows.reduce(
    (total: number, { amount }: { amount: number }) => total + toSignedCents(amount),
    0,
  );
  expect(toSignedCents(opening) + sum).toBe(toSignedCents(closing));
});

it("a statement never changes, its hash stands in the audit log, and another merchant's is a missing one", async () => {
  const { items } = (await call(getAll, path, { headers: seller.headers })).body.data;
  const { statement_id: id, hash } = items[0];
  for (const change of [sql`update statements set closing_cents = 0`, sql`delete from statement_lines`])
    await expect(db.execute(change)).rejects.toMatchObject({ cause: { constraint_name: "append_only" } });
  const [entry] = await db.execute<{ hash: string }>(sql`
    select detail->>'hash' as hash from audit_entries where subject = ${id} and action = 'statement.sealed'`);
  expect(entry!.hash).toBe(hash);
  expect((await read(id, other.headers)).code).toBe("40444");
  expect((await read("st_none")).code).toBe("40444");
});

it("the statements of a month are made once, and hold its entries only", async () => {
  await db.execute(sql`
    insert into ledger_entries (transfer_id, account, amount_cents, merchant_id, created_at)
    select 'payout:po_old:1', a.account, a.cents, ${other.merchant.id}, shop_now() - interval '32 days'
    from (values ('merchant_payable', -500), ('bank_cash', 500)) a(account, cents)`);
  await makeMonthlyStatements();
  await makeMonthlyStatements();
  const { items } = (await call(getAll, path, { headers: other.headers })).body.data;
  expect(items).toMatchObject([{ number: 1, kind: "monthly", closing: 5, lines: 1 }]);
  const { statements } = await listLedger({ cursor: undefined });
  expect(statements).toHaveLength(3); // staff see those of all merchants
  expect(statements[0]).toMatchObject({ merchant_id: other.merchant.id, number: 1, closing: 5 });
  const broken = await auditSale();
  expect(broken.filter((rule) => /statement/.test(rule))).toEqual([]);
});
