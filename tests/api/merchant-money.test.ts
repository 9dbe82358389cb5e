import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as getEntries } from "@/app/api/v1/merchant/money/entries/route";
import { GET as getEntriesFile } from "@/app/api/v1/merchant/money/entries.csv/route";
import { GET as getMoney } from "@/app/api/v1/merchant/money/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createApiToken, createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { firstSaleMail } from "@/lib/orders/sales/first-sale-mail";
import type { MerchantMoney, MoneyEntry } from "@/lib/payouts/money/contract";
import { csvLine } from "@/lib/platform/console/csv";
import * as sale from "../setup/sale";
import { call } from "./call";

let seller: Seller;
let other: Seller;
let buyer: sale.Buyer;
let month: number;
let week: number;

beforeAll(async () => {
  sale.receiveEventsInProcess();
  seller = await createSeller(await createMerchant({ trust: "trusted" }));
  other = await createSeller(await createMerchant());
  buyer = await sale.createBuyer();
  const { plans } = await createProduct({
    merchantId: seller.merchant.id,
    plans: [
      { type: "month", keys: 9, priceCents: 3_000 },
      { type: "week", keys: 9, priceCents: 700 },
    ],
  });
  [month, week] = plans.map(({ id }) => id) as [number, number];
});
afterAll(sale.closeSale);

const readMoney = async (headers: Record<string, string> = seller.headers): Promise<MerchantMoney> =>
  (await call(getMoney, "/merchant/money", { headers })).body.data;
const readEntries = async (query = "", headers = seller.headers): Promise<MoneyEntry[]> =>
  (await call(getEntries, "/merchant/money/entries", { headers, query })).body.data.items;
const reasonsOf = ({ held }: MerchantMoney) => held.map(({ reason, amount }) => [reason, amount]);

async function sell(plan: number) {
  const orderId = await sale.sell(buyer, plan);
  const [row] = await db.execute<{ line: string; key: string }>(sql`
    select l.id as line, k.id as key from order_lines l join keys k on k.order_line_id = l.id where l.order_id = ${orderId}`);
  return { orderId, ...row! };
}
const endWindow = (line: string) =>
  db.execute(sql`update merchant_sales set available_at = shop_now() where line_id = ${line}`);

it("a sale's share is held until its window ends, and then available", async () => {
  const { line } = await sell(month);
  const before = await readMoney();
  expect(before).toMatchObject({ currency: "usd", balance: 25.5, available: 0 });
  expect(before.held).toEqual([
    { reason: "window", amount: 25.5, sales: 1, next_at: expect.stringMatching(/^20\d\d-.*Z$/) },
  ]);
  await endWindow(line);
  expect(await readMoney()).toMatchObject({ balance: 25.5, available: 25.5, in_transit: 0, held: [] });
  expect(await readEntries()).toMatchObject([{ kind: "sale", amount: 25.5, sale_id: line, units: 1 }]);
});

it("a share is held again while a refund, another code or a dispute is undecided, under the strongest reason", async () => {
  const [first, second] = [await sell(month), await sell(week)];
  await endWindow(second.line);
  await revealKey(buyer.viewer, { library_id: first.key });
  await requestRefund(buyer.viewer, { order_id: first.orderId, order_product_id: first.line }, "en");
  expect(reasonsOf(await readMoney())).toEqual([["request", 25.5]]);
  await revealKey(buyer.viewer, { library_id: second.key });
  await requestReplacement(buyer.viewer, { library_id: second.key, reason: "It does not work." });
  expect(reasonsOf(await readMoney())).toEqual([
    ["request", 25.5],
    ["replacement", 5.95],
  ]);
  await db.execute(sql`
    insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
    values ('dp_money', ${first.orderId}, 'pi_money', 3000, 'fraudulent', 'needs_response', true)`);
  const disputed = await readMoney();
  expect(reasonsOf(disputed)).toEqual([
    ["dispute", 25.5],
    ["replacement", 5.95],
  ]);
  expect(disputed).toMatchObject({ balance: 56.95, available: 25.5 });
  await db.execute(sql`update disputes set is_open = false, status = 'won' where id = 'dp_money'`);
  const [request] = await db.execute<{ id: string }>(sql`
    select id from refund_requests where order_line_id = ${first.line}`);
  await decideRefundRequest(request!.id, { decision: "approved", by: "vendor" });
  expect(await readMoney()).toMatchObject({ balance: 31.45, available: 25.5 });
  expect((await readEntries())[0]).toMatchObject({ kind: "return", amount: -25.5, sale_id: first.line });
});

it("what came back after it was available leaves the balance below zero", async () => {
  await db.execute(sql`
    insert into ledger_entries (transfer_id, account, amount_cents, merchant_id, order_id)
    select 'payout:test', a.account, a.cents, ${seller.merchant.id}, null
    from (values ('merchant_payable', 4000), ('merchant_share', -4000)) a(account, cents)`);
  const { balance, available } = await readMoney();
  expect(balance).toBe(-8.55);
  expect(available).toBe(-14.5);
});

it("a tenth of what a new merchant sold within 60 days is held as a reserve", async () => {
  const { plans } = await createProduct({
    merchantId: other.merchant.id,
    plans: [{ type: "week", keys: 2, priceCents: 700 }],
  });
  const sold = [await sell(plans[0]!.id), await sell(plans[0]!.id)];
  for (const { line } of sold) await endWindow(line);
  const money = await readMoney(other.headers);
  expect(reasonsOf(money)).toEqual([["reserve", 1.18]]);
  expect(money).toMatchObject({ balance: 11.9, available: 10.72 });
  await db.execute(sql`
    update merchant_sales set sold_at = sold_at - interval '61 days' where line_id = ${sold[0]!.line}`);
  expect(reasonsOf(await readMoney(other.headers))).toEqual([["reserve", 0.59]]);
});

it("the file has the entries of the list, and another merchant's entries are in neither", async () => {
  const list = await readEntries();
  const request = new Request("http://localhost:3000/api/v1/merchant/money/entries.csv", {
    headers: { host: "localhost:3000", ...seller.headers },
  });
  const file = await (await getEntriesFile(request, { params: Promise.resolve({}) })).text();
  const [header, ...lines] = file.replace("\ufeff", "").split("\r\n").slice(0, -1);
  const names = header!.split(",") as Exclude<keyof MoneyEntry, "payout">[];
  expect(lines.map((line) => `${line}\r\n`)).toEqual(
    list.map((entry) => csvLine(names.map((name) => entry[name]))),
  );
  const others = await readEntries("", other.headers);
  const ids = new Set(list.map(({ entry_id }) => entry_id));
  expect(others).toHaveLength(2);
  expect(others.some(({ entry_id }) => ids.has(entry_id))).toBe(false);
  expect(await readEntries("from=2020-01-01&to=2020-02-01")).toEqual([]);
});

it("the cursor of another list is refused", async () => {
  const query = "cursor=nonsense";
  const { body } = await call(getEntries, "/merchant/money/entries", { headers: seller.headers, query });
  expect(body.code).toBe("40000");
});

it("a token reads the account only with its scope", async () => {
  const ask = async (scopes: ("money:read" | "sales:read")[]) => {
    const { bearer } = await createApiToken(seller.merchant, { scopes });
    return (await call(getMoney, "/merchant/money", { headers: { authorization: bearer } })).body.code;
  };
  expect(await ask(["money:read"])).toBe("200");
  expect(await ask(["sales:read"])).toBe("40300");
});

it("the owners are mailed the first sale with their share, and no later one", async () => {
  const newcomer = await createSeller(await createMerchant());
  const { plans } = await createProduct({
    merchantId: newcomer.merchant.id,
    plans: [{ type: "week", keys: 2, priceCents: 700 }],
  });
  const { line } = await sell(plans[0]!.id);
  await sell(plans[0]!.id);
  const mails = await db.execute<{ to: string; line: string }>(sql`
    select to_address as to, refs->>'lineId' as line from mails
    where event = 'first-sale' and to_address = ${newcomer.email}`);
  expect([...mails]).toEqual([{ to: newcomer.email, line }]);
  expect(await firstSaleMail(line, "en")).toMatchObject({
    handle: newcomer.merchant.handle,
    netCents: 595,
    pass: { lineId: line },
  });
});
