import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as decideApproval } from "@/app/api/v1/admin/approvals/[id]/approve/route";
import { POST as addCommission, GET as getCommission } from "@/app/api/v1/admin/commission/route";
import { GET as getConsoleSales } from "@/app/api/v1/admin/merchants/[id]/sales/route";
import { POST as refuseReply } from "@/app/api/v1/admin/reviews/[id]/reply/refuse/route";
import { POST as showReply } from "@/app/api/v1/admin/reviews/[id]/reply/show/route";
import { GET as getStaffReviews } from "@/app/api/v1/admin/reviews/route";
import { GET as getComments } from "@/app/api/v1/comment/list/route";
import { GET as getDays } from "@/app/api/v1/merchant/insight/days/route";
import { GET as getDemand } from "@/app/api/v1/merchant/insight/demand/route";
import { GET as getPlans } from "@/app/api/v1/merchant/insight/plans/route";
import { GET as getSearches } from "@/app/api/v1/merchant/insight/searches/route";
import { POST as answer } from "@/app/api/v1/merchant/requests/[id]/answer/route";
import { GET as getRequests } from "@/app/api/v1/merchant/requests/route";
import { POST as reply } from "@/app/api/v1/merchant/reviews/[id]/reply/route";
import { GET as getReviews } from "@/app/api/v1/merchant/reviews/route";
import { GET as getSales } from "@/app/api/v1/merchant/sales/route";
import { GET as getSalesFile } from "@/app/api/v1/merchant/sales.csv/route";
import { GET as getStock } from "@/app/api/v1/merchant/stock/route";
import { db } from "@/db/client";
import { type CreatedProduct, createCategory, createKeys, createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import {
  createApiToken,
  createMerchant,
  createMerchantRecords,
  createSales,
  createSeller,
  type Seller,
} from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import {
  requestReplacement,
  requestReplacementByStaff,
} from "@/lib/delivery/replacement/request-replacement";
import { getHome } from "@/lib/merchants/home/get-home";
import { updateProductFigures } from "@/lib/merchants/insight/update-product-figures";
import { updateSearches } from "@/lib/merchants/insight/update-searches";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { updateDayFigures } from "@/lib/orders/insight/update-day-figures";
import { sweepJob } from "@/lib/orders/jobs";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { getEarnings } from "@/lib/payouts/money/get-earnings";
import { getMoney } from "@/lib/payouts/money/get-money";
import { compareEarnings } from "@/lib/payouts/money/rules-earnings";
import { csvLine } from "@/lib/platform/console/csv";
import { createReview } from "@/lib/reviews/create-review";
import { recordSearch } from "@/lib/tracking/record-search";
import { recordVisit } from "@/lib/tracking/record-visit";
import { seenApproval } from "@/tests/setup/seen";
import * as sale from "../setup/sale";
import { authHeaders, call } from "./call";

let seller: Seller;
let other: Seller;
let buyer: sale.Buyer;
let product: CreatedProduct;
let monthPlan: number;
let weekPlan: number;
let category: string;
/** All responses to the merchant, none of which may identify a buyer. */
const answers: string[] = [];

beforeAll(async () => {
  sale.receiveEventsInProcess();
  seller = await createSeller(await createMerchant({ name: "Kettle & Row" }));
  other = await createSeller(await createMerchant());
  buyer = await sale.createBuyer();
  category = await createCategory();
  product = await createProduct({
    merchantId: seller.merchant.id,
    category,
    plans: [
      { type: "month", keys: 20, priceCents: 2_999 },
      { type: "week", keys: 5, priceCents: 700 },
    ],
  });
  [monthPlan, weekPlan] = product.plans.map(({ id }) => id) as [number, number];
});
afterAll(sale.closeSale);

type Handler = Parameters<typeof call>[0];
const PATHS = new Map<Handler, string>([
  [getSales, "/merchant/sales"],
  [getRequests, "/merchant/requests"],
  [answer, "/merchant/requests/x/answer"],
  [getReviews, "/merchant/reviews"],
  [reply, "/merchant/reviews/x/reply"],
  [getPlans, "/merchant/insight/plans"],
  [getDays, "/merchant/insight/days"],
  [getDemand, "/merchant/insight/demand"],
  [getSearches, "/merchant/insight/searches"],
  [getStock, "/merchant/stock"],
  [showReply, "/admin/reviews/x/reply/show"],
  [refuseReply, "/admin/reviews/x/reply/refuse"],
]);
const ask = async (handler: Handler, options: Parameters<typeof call>[2] = {}, headers = seller.headers) => {
  const result = await call(handler, PATHS.get(handler)!, { headers, ...options });
  answers.push(JSON.stringify(result.body));
  return result;
};
const listSales = async (query = "", headers = seller.headers) =>
  (await ask(getSales, { query }, headers)).body.data;

/** A sold pass whose code was seen, with an open refund question. */
async function askRefund(plan = monthPlan) {
  const orderId = await sale.sell(buyer, plan);
  const [row] = await db.execute<{ line: string; key: string }>(sql`
    select l.id as line, k.id as key from order_lines l join keys k on k.order_line_id = l.id where l.order_id = ${orderId}`);
  const { code } = await revealKey(buyer.viewer, { library_id: row!.key });
  await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: row!.line }, "en");
  const [request] = await db.execute<{ id: string }>(
    sql`select id from refund_requests where order_line_id = ${row!.line}`,
  );
  return { orderId, line: row!.line, code, requestId: request!.id };
}
/** The version of an open request as the seller's list shows it. */
async function versionOf(id: string): Promise<string | undefined> {
  for (const kind of ["refund", "replacement"]) {
    const { items } = (await ask(getRequests, { query: `kind=${kind}` })).body.data;
    const found = items.find((item: { request_id: string }) => item.request_id === id);
    if (found) return found.version;
  }
  return undefined;
}
/** Answers a request as it is listed now. */
const answerWith = async (id: string, body: object, headers = seller.headers) =>
  ask(answer, { params: { id }, body: { version: await versionOf(id), ...body } }, headers);

describe("sales", () => {
  it("show price, discount, commission, net and buyer; a coupon of the shop costs the merchant nothing", async () => {
    const code = await createCoupon({ percent: 33 });
    await sale.sell(buyer, monthPlan, 2, code);
    const list = await listSales();
    const [first] = list.items;
    expect(first).toMatchObject({
      product_id: product.id,
      vip_id: monthPlan,
      units: 2,
      price: 59.98,
      discount: 19.79,
      discount_by: "shop",
      commission: 9,
      net: 50.98,
      refunded: 0,
      payable: 50.98,
      state: "sold",
    });
    expect(first.buyer).toMatch(/^buyer-[2-9a-z]{8}$/);
    const window = Date.parse(first.payable_on) - Date.parse(first.sold_at);
    expect(window).toBe(15 * 86_400_000);
    await sale.sell(buyer, weekPlan);
    const [week] = (await listSales(`vip_id=${weekPlan}`)).items;
    expect(week.buyer).toBe(first.buyer);
    // This buyer's country is unknown, so the right of withdrawal may apply.
    expect(Date.parse(week.payable_on) - Date.parse(week.sold_at)).toBe(15 * 86_400_000);
  });

  it("of another merchant are not shown, nor by its product", async () => {
    for (const query of ["", `product_id=${product.id}`, `vip_id=${monthPlan}`, `state=sold`])
      expect((await listSales(query, other.headers)).items).toEqual([]);
  });

  it("are read by staff as the merchant sees them", async () => {
    const headers = authHeaders(await createStaff({ roles: ["support"] }));
    const read = async (id: string, query = "") =>
      (await call(getConsoleSales, `/admin/merchants/${id}/sales`, { params: { id }, query, headers })).body;
    const { items, totals } = await listSales("state=sold");
    expect((await read(seller.merchant.id, "state=sold")).data).toMatchObject({ items, totals });
    expect((await read(other.merchant.id)).data.items).toEqual([]);
    expect((await read("mch_none")).code).toBe("40434");
    expect((await read(seller.merchant.id, "cursor=none")).code).toBe("40000");
  });

  it("are exported as a file with the rows of the screen and totals that match", async () => {
    await askRefund();
    const { totals } = await listSales();
    for (const query of [
      "",
      "state=sold",
      `product_id=${product.id}&state=sold`,
      `vip_id=${weekPlan}`,
      "from=2020-01-01&to=2020-02-01",
    ]) {
      const list = await listSales(query);
      const request = new Request(`http://localhost:3000/api/v1/merchant/sales.csv?${query}`, {
        headers: { host: "localhost:3000", ...seller.headers },
      });
      const file = await (await getSalesFile(request, { params: Promise.resolve({}) })).text();
      answers.push(file);
      const [header, ...lines] = file.replace("\ufeff", "").split("\r\n").slice(0, -1);
      const columns = header!.split(",");
      expect(lines.map((line) => `${line}\r\n`)).toEqual(
        list.items.map((item: Record<string, string>) => csvLine(columns.map((name) => item[name] ?? null))),
      );
      const sum = (name: string) =>
        Math.round(
          100 * list.items.reduce((all: number, item: Record<string, number>) => all + item[name]!, 0),
        ) / 100;
      expect(list.totals).toEqual({
        sales: list.items.length,
        ...Object.fromEntries(
          ["units", "price", "discount", "commission", "net", "refunded", "payable"].map((name) => [
            name,
            sum(name),
          ]),
        ),
        exact: true,
      });
    }
    expect(totals.sales).toBe(3);
  });

  it("are paged without gaps while new sales arrive", async () => {
    const busy = await createSeller(await createMerchant());
    const many = await createProduct({ merchantId: busy.merchant.id, plans: [{ keys: 1 }] });
    const otherBuyer = await sale.createBuyer();
    const [plan] = many.plans;
    const lines = await createSales(otherBuyer, plan!.id, 120);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: { items: { sale_id: string }[]; next_cursor: string | null } = await listSales(
        cursor ? `cursor=${cursor}` : "",
        busy.headers,
      );
      seen.push(...page.items.map(({ sale_id }) => sale_id));
      // New sales come before the first page.
      if (cursor === "") await createSales(otherBuyer, plan!.id, 1);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(lines);
  });
});

describe("a merchant's requests", () => {
  const listRequests = async (query = "") => (await ask(getRequests, { query })).body.data.items;

  it("name the code by its reference; the first of two concurrent answers decides about the money", async () => {
    const { requestId, code, line } = await askRefund();
    const [request] = (await listRequests()).filter(
      (one: { request_id: string }) => one.request_id === requestId,
    );
    expect(request).toMatchObject({
      kind: "refund",
      state: "asked",
      sale_id: line,
      amount: 29.99,
      blocked_by: null,
    });
    expect(request.codes).toEqual([
      { digest: expect.stringMatching(/^[0-9a-f]{8}$/), ending: code.slice(-4) },
    ]);
    expect((await answerWith(requestId, { answer: "unused" }, other.headers)).body.code).toBe("40481");
    expect((await answerWith(requestId, { answer: "replace" })).body.code).toBe("40000");
    const results = await Promise.all(
      (["used", "unused"] as const).map((one) => answerWith(requestId, { answer: one })),
    );
    expect(results.map(({ body }) => body.code).sort()).toEqual(["200", "40980"]);
    const decided = results.find(({ body }) => body.code === "200")!.body.data.state;
    const [row] = (await listSales()).items.filter((item: { sale_id: string }) => item.sale_id === line);
    expect(row.state).toBe(decided === "approved" ? "refunded" : "sold");
    const [done] = await listRequests("state=decided");
    expect(done).toMatchObject({ request_id: requestId, state: decided, decided_by: "merchant" });
    const [entry] = await db.execute(sql`
      select actor, detail->>'state' as state from audit_entries where action = 'refund_request_decided' and detail->>'requestId' = ${requestId}`);
    expect(entry).toEqual({ actor: seller.id, state: decided });
  });

  it("are approved without an answer in time; a suspended merchant may still answer in time", async () => {
    const [late, silent, open] = [await askRefund(), await askRefund(), await askRefund()];
    await db.execute(
      sql`update refund_requests set answer_by = shop_now() where id in ${[late.requestId, silent.requestId]}`,
    );
    await db.execute(sql`update merchants set state = 'suspended' where id = ${seller.merchant.id}`);
    expect((await answerWith(late.requestId, { answer: "used" })).body.code).toBe("40980");
    expect((await answerWith(open.requestId, { answer: "used" })).body.data.state).toBe("refused");
    await db.execute(sql`update merchants set state = 'active' where id = ${seller.merchant.id}`);
    await sweepJob.run({});
    const decided = await listRequests("state=decided");
    const stateOf = (id: string) => {
      const { state, decided_by } = decided.find((one: { request_id: string }) => one.request_id === id);
      return [state, decided_by];
    };
    expect(stateOf(late.requestId)).toEqual(["approved", "deadline"]);
    expect(stateOf(silent.requestId)).toEqual(["approved", "deadline"]);
    expect(stateOf(open.requestId)).toEqual(["refused", "merchant"]);
  });

  it("are answered only in the state that was listed", async () => {
    const { requestId } = await askRefund();
    const orderId = await sale.sell(buyer, monthPlan);
    const [key] = await db.execute<{ id: string }>(sql`
      select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}`);
    await requestReplacement(buyer.viewer, { library_id: key!.id, reason: "It fails." });
    const [{ request_id: codeId }] = (await listRequests("kind=replacement")).slice(-1);
    const old = { [requestId]: await versionOf(requestId), [codeId]: await versionOf(codeId) };
    await db.execute(sql`update refund_requests set amount_cents = 100 where id = ${requestId}`);
    await db.execute(sql`update replacement_requests set reason = 'It never came.' where id = ${codeId}`);
    for (const [id, answers] of [
      [requestId, ["used", "unused"]],
      [codeId, ["replace", "refuse"]],
    ] as const)
      for (const one of answers)
        for (const version of [old[id], undefined])
          expect((await answerWith(id, { answer: one, reason: "It works.", version })).body.code).toBe(
            "40940",
          );
    expect(
      await db.execute(sql`
      select state from refund_requests where id = ${requestId}
      union all select state from replacement_requests where id = ${codeId}`),
    ).toEqual([{ state: "asked" }, { state: "asked" }]);
    expect((await answerWith(requestId, { answer: "unused" })).body.data.state).toBe("approved");
    expect((await answerWith(codeId, { answer: "refuse", reason: "It works." })).body.data.state).toBe(
      "refused",
    );
  });

  it("wait while the payment is disputed", async () => {
    const { orderId, requestId } = await askRefund();
    await db.execute(sql`
      insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
      select 'du_answer', id, transaction_id, 100, 'fraudulent', 'needs_response', true from orders where id = ${orderId}`);
    expect((await answerWith(requestId, { answer: "used" })).body.code).toBe("40923");
    await db.execute(sql`delete from disputes where id = 'du_answer'`);
  });

  it("are never answered by the member who bought or requested, in the browser or with a token", async () => {
    await db.execute(sql`
      insert into merchant_members (id, merchant_id, user_id, role) values ('mem_buyer', ${seller.merchant.id}, ${buyer.id}, 'owner')`);
    const [own, others] = [await createApiToken(seller.merchant), await createApiToken(seller.merchant)];
    await db.execute(sql`update api_tokens set created_by = ${buyer.id} where id = ${own.id}`);
    const inBrowser = { authorization: buyer.bearer, "passlane-merchant": seller.merchant.handle };
    const byToken = { authorization: own.bearer };
    const { requestId } = await askRefund();
    const orderId = await sale.sell(buyer, monthPlan);
    const [key] = await db.execute<{ id: string }>(sql`
      select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}`);
    await requestReplacement(buyer.viewer, { library_id: key!.id, reason: "It fails." });
    const [replacement] = (await listRequests("kind=replacement")).slice(-1);
    const reason = "It works here.";
    for (const headers of [inBrowser, byToken]) {
      for (const one of ["used", "unused"])
        expect((await answerWith(requestId, { answer: one }, headers)).body.code).toBe("40986");
      for (const one of ["replace", "refuse"])
        expect((await answerWith(replacement.request_id, { answer: one, reason }, headers)).body.code).toBe(
          "40986",
        );
      for (const [kind, id] of [
        ["refund", requestId],
        ["replacement", replacement.request_id],
      ]) {
        const { items } = (await ask(getRequests, { query: `kind=${kind}` }, headers)).body.data;
        expect(items.find((item: { request_id: string }) => item.request_id === id)).toMatchObject({
          state: "asked",
          blocked_by: "own_request",
        });
      }
    }
    await db.execute(sql`update merchant_members set ended_at = shop_now() where id = 'mem_buyer'`);
    expect((await answerWith(requestId, { answer: "used" }, byToken)).body.code).toBe("40986"); // the token stays
    const byOthers = { authorization: others.bearer };
    expect((await answerWith(requestId, { answer: "used" }, byOthers)).body.data.state).toBe("refused");
    const replaced = await answerWith(replacement.request_id, { answer: "replace" }, byOthers);
    expect(replaced.body.data.state).toBe("approved");
  });

  it("appear on the first page, as do plans that run low", async () => {
    const { member, merchant, headers } = await createSeller(await createMerchant());
    expect(await getHome(member)).toMatchObject({
      requests: { nearest: [], count: 0 },
      reviews: [],
      low: null,
    });
    const sold = await createProduct({
      merchantId: merchant.id,
      plans: [{ type: "month", keys: 3 }, { type: "week" }, { type: "day", keys: 9 }],
    });
    const [few, none, enough] = sold.plans.map(({ id }) => id) as [number, number, number];
    await createMerchantRecords(await sale.createBuyer(), few);
    for (const plan of [few, enough])
      await db.execute(sql`
        insert into plan_sales_daily (plan_id, day, units)
        select ${plan}, (shop_now() at time zone 'UTC')::date - n, 1 from generate_series(1, 28) n`);
    const { requests, low, reviews } = await getHome(member);
    // The question has a deadline in 48 hours; the request for a code is placed as if it had one.
    expect(requests.count).toBe(2);
    expect(requests.nearest.map(({ kind }) => kind).sort()).toEqual(["refund", "replacement"]);
    expect(reviews).toHaveLength(1);
    const listed = (await ask(getStock, {}, headers)).body.data.items;
    const suggested = (plan: number) =>
      listed.find((one: { plan_id: number }) => one.plan_id === plan).suggested;
    expect(suggested(few)).toBeGreaterThan(0);
    expect(low).toMatchObject([
      { plan_id: none, available: 0, suggested: suggested(none) },
      { plan_id: few, available: 2, suggested: suggested(few) },
    ]);
    await db.execute(sql`insert into stock_alerts (plan_id, kind, value) values (${none}, 'off', 0)`);
    await db.execute(sql`update refund_requests set state = 'refused', decided_at = shop_now(), decided_by = 'vendor'
      where merchant_id = ${merchant.id}`);
    const later = await getHome(member);
    expect(later.low).toMatchObject([{ plan_id: few }]);
    expect(later.requests.nearest.map(({ kind }) => kind)).toEqual(["replacement"]);
  });

  it("are on the first page beside what the merchant earned, with the figures of its account", async () => {
    const { member, merchant, headers } = await createSeller(await createMerchant());
    const sold = await createProduct({
      merchantId: merchant.id,
      plans: [{ type: "month", keys: 9, priceCents: 1_000 }],
    });
    const orders = [
      await sale.sell(buyer, sold.plans[0]!.id, 3),
      await sale.sell(buyer, sold.plans[0]!.id, 1),
    ] as const;
    const [line] = await db.execute<{ id: string }>(
      sql`select id from order_lines where order_id = ${orders[1]}`,
    );
    await requestRefund(buyer.viewer, { order_id: orders[1], order_product_id: line!.id }, "en");
    const [question] = (await ask(getRequests, { query: "kind=refund" }, headers)).body.data.items;
    const { request_id: id, version } = question;
    await ask(answer, { params: { id }, body: { version, answer: "unused" } }, headers);
    await sale.runQueue();
    const [earnings, money] = [await getEarnings(member), await getMoney(member)];
    expect(earnings.days).toHaveLength(56);
    const today = earnings.days.at(-1)!;
    expect(today).toMatchObject({ earned: 3_400, back: 850, sales: 2 });
    expect(money.balance).toBe(25.5);
    expect(compareEarnings(earnings)).toMatchObject({
      today: { value: 3_400, before: 0 },
      week: { value: 3_400, before: 0 },
      refundShare: { value: 0.25, before: null },
    });
  });

  it("made for a buyer by a member are answered by another one", async () => {
    const { requestId } = await askRefund();
    await db.execute(sql`update refund_requests set asked_by = ${seller.id} where id = ${requestId}`);
    expect((await answerWith(requestId, { answer: "used" })).body.code).toBe("40986");
  });

  it("made for a buyer by staff are marked, without the staff's text", async () => {
    const orderId = await sale.sell(buyer, monthPlan);
    const [key] = await db.execute<{ id: string }>(sql`
      select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}`);
    const { viewer } = await createStaff({ roles: ["support"] });
    const reason = "Ticket 4711.";
    await requestReplacementByStaff(viewer, { orderId, keyId: key!.id, reason });
    const [request] = (await listRequests("kind=replacement")).slice(-1);
    expect(request).toMatchObject({ asked_by_shop: true, reason: null });
    expect((await answerWith(request.request_id, { answer: "refuse", reason: "It works." })).body.code).toBe(
      "200",
    );
  });

  it("for replacements are answered with another code or a reason, and mask what the buyer wrote", async () => {
    const askForCode = async (plan: number) => {
      const orderId = await sale.sell(buyer, plan);
      const [key] = await db.execute<{ id: string }>(sql`
        select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}`);
      const { code } = await revealKey(buyer.viewer, { library_id: key!.id });
      const reason = `${code} fails, write to ${buyer.email}`;
      await requestReplacement(buyer.viewer, { library_id: key!.id, reason });
      const [request] = (await listRequests("kind=replacement")).slice(-1);
      expect(request.reason).not.toContain(buyer.email);
      expect(request.reason).not.toContain(code);
      return { id: request.request_id as string, code };
    };
    const before = (await listSales()).totals;
    const first = await askForCode(monthPlan);
    expect((await answerWith(first.id, { answer: "refuse" })).body.code).toBe("40000");
    expect((await answerWith(first.id, { answer: "refuse", reason: `Not ${first.code}` })).body.code).toBe(
      "40000",
    );
    expect((await answerWith(first.id, { answer: "replace" })).body.data).toMatchObject({
      kind: "replacement",
      state: "approved",
    });
    expect((await answerWith(first.id, { answer: "refuse", reason: "No." })).body.code).toBe("40990");
    const second = await askForCode(weekPlan);
    expect(
      (await answerWith(second.id, { answer: "refuse", reason: "It works here." })).body.data.state,
    ).toBe("refused");
    const small = await createProduct({ merchantId: seller.merchant.id, plans: [{ keys: 1 }] });
    const third = await askForCode(small.plans[0]!.id);
    expect((await answerWith(third.id, { answer: "replace" })).body.code).toBe("40991");
    await db.execute(sql`update keys set state = 'quarantined' where plan_id = ${small.plans[0]!.id}`);
    expect((await answerWith(third.id, { answer: "replace" })).body.code).toBe("40992");
    const after = (await listSales()).totals;
    expect(after.payable).toBe(Math.round(100 * (before.payable + 25.49 + 5.95 + 8.5)) / 100);
  });
});

describe("replies to reviews", () => {
  it("wait for staff, are shown under their review, and can be refused and rewritten", async () => {
    const orderId = await sale.sell(buyer, weekPlan);
    const written = {
      product_id: product.id,
      order_id: orderId,
      rating: 3,
      title: "Fair",
      content: "It works.",
    };
    const { review_id: id } = await createReview(buyer.viewer, written);
    const staff = authHeaders(await createStaff({ roles: ["support"] }));
    const write = (text: string, headers = seller.headers) =>
      ask(reply, { params: { id }, body: { text } }, headers);
    const shown = async () => {
      const { body } = await call(getComments, "/comment/list", { query: `product_id=${product.id}` });
      return body.data.items[0].reply;
    };
    const decideAs = (handler: Handler, body: object) =>
      call(handler, PATHS.get(handler)!, { method: "POST", params: { id }, headers: staff, body });
    const versionOf = async (): Promise<string | undefined> => {
      const query = `product_id=${product.id}`;
      const { body } = await call(getStaffReviews, "/admin/reviews", { query, headers: staff });
      return body.data.items.find((review: { review_id: string }) => review.review_id === id).reply?.version;
    };
    /** Decides about the reply as it is shown now. */
    const decide = async (handler: Handler, body: object = {}) =>
      decideAs(handler, { version: await versionOf(), ...body });
    expect((await decide(showReply)).body.code).toBe("40482");
    expect((await write("Hello", other.headers)).body.code).toBe("40493");
    const [key] = await askedCodes();
    expect((await write(`Use ${key}`)).body.code).toBe("40000");
    expect((await write("Thanks, we mend it.")).body.data.state).toBe("waiting");
    expect((await write("Once more")).body.code).toBe("40984");
    expect(await shown()).toBeNull();
    const waiting = await call(getStaffReviews, "/admin/reviews", { query: "reply=waiting", headers: staff });
    expect(waiting.body.data.items).toMatchObject([
      { review_id: id, reply: { text: "Thanks, we mend it." } },
    ]);
    expect((await decide(refuseReply, { note: "Say what you mend." })).body.data.state).toBe("refused");
    const [mine] = (await ask(getReviews, { query: "replied=true" })).body.data.items;
    expect(mine).toMatchObject({ review_id: id, reply: { state: "refused", note: "Say what you mend." } });
    const before = await versionOf();
    expect((await write("The next version opens large files.")).body.data.state).toBe("waiting");
    for (const version of [before, undefined])
      for (const handler of [showReply, refuseReply])
        expect(
          (await decideAs(handler, { version, ...(handler === refuseReply && { note: "No." }) })).body.code,
        ).toBe("40940");
    expect(await shown()).toBeNull();
    expect((await decide(showReply)).body.data.state).toBe("shown");
    expect((await decide(showReply)).body.code).toBe("40985");
    expect(await shown()).toMatchObject({
      text: "The next version opens large files.",
      merchant: "Kettle & Row",
    });
    expect((await decide(refuseReply, { note: "Gone." })).body.data.state).toBe("refused");
    expect(await shown()).toBeNull();
    expect((await decide(refuseReply, { note: "Again." })).body.code).toBe("40985");
    expect((await ask(getReviews, {}, other.headers)).body.data.items).toEqual([]);
  });
});

/** A code of the shop. */
const askedCodes = async () => [(await askRefund()).code];

describe("insight", () => {
  it("shows views, carts and paid units of plans, their forecast, and the searches that show them", async () => {
    const visit = {
      page_url: `https://x.example/product/${product.slug}`,
      visit_device_type: "desktop" as const,
    };
    for (let i = 0; i < 3; i++) await recordVisit(visit, "203.0.113.9");
    for (let i = 0; i < 4; i++)
      await recordSearch(buyer.viewer, {
        search_content: i % 2 ? product.name : product.name.toUpperCase(),
        search_device_type: "computer",
      });
    for (let i = 0; i < 2; i++)
      await recordSearch(buyer.viewer, {
        search_content: `${product.name} ${buyer.email}`,
        search_device_type: "computer",
      });
    await updateProductFigures();
    await updateProductFigures();
    await updateDayFigures();
    await updateSearches();
    const [sold] = await db.execute<{ n: number }>(
      sql`select sum(quantity)::int as n from order_lines where plan_id = ${monthPlan}`,
    );
    const query = `product_id=${product.id}`;
    const plans = (await ask(getPlans, { query: `${query}&days=7` })).body.data.items;
    expect(plans.find((one: { vip_id: number }) => one.vip_id === monthPlan)).toMatchObject({
      views: 3,
      paid: sold!.n,
    });
    expect(plans.find((one: { vip_id: number }) => one.vip_id === monthPlan).carts).toBeGreaterThan(5);
    await db.execute(sql`
      insert into plan_sales_daily (plan_id, day, units)
      select ${monthPlan}, (shop_now() at time zone 'UTC')::date - n, 2 from generate_series(1, 28) n`);
    const demand = (await ask(getDemand, { query })).body.data.items;
    const month = demand.find((one: { vip_id: number }) => one.vip_id === monthPlan);
    // Today counts, as the part of a day that it is.
    expect(month.history_days).toBe(29);
    expect(month.rate).toBeGreaterThan(2 - 2 / 21);
    expect(month.expected).toBeCloseTo(14 * month.rate, 0);
    expect(month.suggestion - month.waiting + month.available).toBeCloseTo(month.expected, -1);
    // The list of codes says the same of each plan.
    const stock = (await ask(getStock, { query })).body.data.items;
    for (const plan of demand) {
      const listed = stock.find((one: { plan_id: number }) => one.plan_id === plan.vip_id);
      expect(listed).toMatchObject({
        available: plan.available,
        waiting: plan.waiting,
        days_of_cover: plan.cover,
        suggested: plan.suggestion,
        history_days: plan.history_days,
      });
    }
    const days = (await ask(getDays, { query: `vip_id=${monthPlan}` })).body.data;
    expect([days.days.length, days.forecast.length]).toEqual([56, 14]);
    expect(days.days.at(-1).paid).toBe(sold!.n);
    expect((await ask(getDays, { query: `vip_id=${monthPlan}` }, other.headers)).body.code).toBe("40401");
    const searches = (await ask(getSearches)).body.data.items;
    expect(searches).toEqual([
      expect.objectContaining({
        product_id: product.id,
        content: product.name.toLowerCase(),
        searches: 4,
        place: 1,
      }),
    ]);
    for (const handler of [getPlans, getDemand])
      expect((await ask(handler, { query }, other.headers)).body.data.items).toEqual([]);
    expect((await ask(getSearches, {}, other.headers)).body.data.items).toEqual([]);
  });
});

describe("commission", () => {
  const headersOf = async (roles: ("finance" | "admin" | "catalogue")[]) =>
    authHeaders(await createStaff({ roles }));
  const add = (headers: Record<string, string>, body: object) =>
    call(addCommission, "/admin/commission", { headers, body });

  it("follows the most specific rule at payment; a new rule needs a second person and leaves past sales unchanged", async () => {
    const [finance, admin] = [await headersOf(["finance"]), await createStaff({ roles: ["admin"] })];
    expect((await add(finance, { merchant: "nobody", percent: 1 })).body.code).toBe("40434");
    expect((await add(finance, { category: "nothing", percent: 1 })).body.code).toBe("40426");
    const commissionOf = async () => {
      await sale.sell(buyer, weekPlan);
      return (await listSales(`vip_id=${weekPlan}`)).items[0].commission;
    };
    await createKeys(weekPlan, 10);
    expect(await commissionOf()).toBe(1.05);
    const { handle } = seller.merchant;
    const rules = [
      [{ category, percent: 10 }, 0.7],
      [{ category, vip_type: "week", percent: 11 }, 0.77],
      [{ merchant: handle, percent: 20 }, 1.4],
      [{ merchant: handle, vip_type: "week", percent: 21 }, 1.47],
      [{ pass_type: "week", percent: 1 }, 1.47],
      [{ merchant: handle, vip_type: "month", percent: 50 }, 1.47],
      [{ merchant: handle, vip_type: "week", percent: 5, fixed: 0.25 }, 0.6],
      [{ merchant: handle, vip_type: "week", percent: 99, valid_from: "2999-01-01T00:00:00Z" }, 0.6],
    ] as const;
    for (const [rule, commission] of rules) {
      const asked = await add(finance, rule);
      expect(asked.body.code).toBe("40941");
      const id = asked.body.errors?.find(({ path }) => path === "approval_id")?.message ?? "";
      const approved = await call(decideApproval, "/admin/approvals/x/approve", {
        headers: authHeaders(admin),
        params: { id },
        body: await seenApproval(admin.viewer, id),
      });
      expect(approved.body.data.result.state).toBe("approved");
      expect([rule, await commissionOf()]).toEqual([rule, commission]);
    }
    const { items } = (await call(getCommission, "/admin/commission", { headers: finance })).body.data;
    const current = items.filter(
      (rule: { current: boolean; merchant: string }) => rule.current && rule.merchant === handle,
    );
    expect(
      current.map((rule: { pass_type: string; percent: number }) => [rule.pass_type, rule.percent]),
    ).toEqual([
      ["month", 50],
      ["week", 5],
      [null, 20],
    ]);
    const first = (await listSales(`vip_id=${weekPlan}`)).items.at(-1);
    expect(first.commission).toBe(1.05);
    expect((await add(await headersOf(["catalogue"]), { percent: 1 })).body.code).toBe("40300");
    await expect(db.execute(sql`update commission_rules set bps = 1`)).rejects.toThrow();
  });
});

it("a token reads sales and answers requests within its scopes", async () => {
  const { bearer } = await createApiToken(seller.merchant, { scopes: ["requests:write"] });
  const { requestId } = await askRefund();
  const headers = { authorization: bearer };
  expect((await ask(getSales, {}, headers)).body.code).toBe("40300");
  expect((await answerWith(requestId, { answer: "used" }, headers)).body.data.state).toBe("refused");
  const [row] = await db.execute<{ by: string }>(
    sql`select decided_by as by from refund_requests where id = ${requestId}`,
  );
  expect(row!.by).toMatch(/^token:tok_/);
  expect((await ask(getRequests, { query: "state=decided" })).body.data.items[0].decided_by).toBe("merchant");
});

it("the cursor of another list is refused", async () => {
  for (const handler of [getSales, getRequests, getReviews, getPlans, getDemand])
    expect((await ask(handler, { query: "cursor=nonsense" })).body.code).toBe("40000");
});

it("no response identifies a buyer by account, address, name, order or code", async () => {
  const [person] = await db.execute<{ id: string; email: string; username: string }>(sql`
    select id, email, username from users where id = ${buyer.id}`);
  const orders = await db.execute<{ id: string; number: string; payment: string | null }>(sql`
    select id, order_number as number, transaction_id as payment from orders where user_id = ${buyer.id}`);
  expect(orders.length).toBeGreaterThan(10);
  const secret = [
    person!.id,
    person!.email,
    person!.username,
    ...orders.flatMap(({ id, number, payment }) => [id, number, payment]),
  ];
  const text = answers.join("\n");
  expect(answers.length).toBeGreaterThan(40);
  for (const part of secret) if (part) expect(text).not.toContain(part);
});
