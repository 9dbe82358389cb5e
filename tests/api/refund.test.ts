import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { POST as reveal } from "@/app/api/v1/library/reveal/route";
import { GET as detail } from "@/app/api/v1/order/detail/route";
import { POST as request } from "@/app/api/v1/order/refund/request/route";
import { POST as resend } from "@/app/api/v1/order/resend/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { OrderDetail } from "@/lib/orders/contract";
import { RefundRequestView, ResendView } from "@/lib/orders/refunds/contract";
import * as sale from "../setup/sale";
import { call } from "./call";

vi.setConfig({ testTimeout: 60_000 });
let buyer: sale.Buyer;
let stranger: sale.Buyer;
let planId: number;
let dayPlan: number;
beforeAll(async () => {
  sale.receiveEventsHere();
  [buyer, stranger] = await Promise.all([sale.newBuyer(), sale.newBuyer()]);
  const plans = [
    { type: "month" as const, keys: 9 },
    { type: "day" as const, keys: 9 },
  ];
  [planId, dayPlan] = (await createProduct({ plans })).plans.map((plan) => plan.id) as [number, number];
}, 60_000);
afterAll(sale.endSale);

type Who = sale.Buyer | null;
const headersOf = (who: Who, language = "en") => ({
  "accept-language": language,
  ...(who && { authorization: who.bearer }),
});
const read = async (orderId: string) => {
  const answer = await call(detail, "/order/detail", {
    query: `order_id=${orderId}`,
    headers: headersOf(buyer),
  });
  return OrderDetail.parse(answer.body.data);
};
const bought = async (plan = planId) => {
  const order_id = await sale.sell(buyer, plan);
  const [line] = (await read(order_id)).order_products;
  return { order_id, order_product_id: line!.order_product_id };
};
const ask = (body: object, who: Who = buyer, language?: string) =>
  call(request, "/order/refund/request", { body, headers: headersOf(who, language) });
const again = (body: object, who: Who = buyer) =>
  call(resend, "/order/resend", { body, headers: headersOf(who) });

describe("POST /order/refund/request", () => {
  it("answers what becomes of it, and the order says the same", async () => {
    const body = await bought();
    const answer = await ask(body);
    const view = RefundRequestView.parse(answer.body.data);
    expect(view).toEqual({ ...body, state: "asked", refund_amount: 10, answer_by: expect.any(String) });
    const [line] = (await read(body.order_id)).order_products;
    expect(line!.refund_request).toMatchObject({ state: "asked", answer_by: view.answer_by });
    const twice = await ask(body);
    expect([twice.status, twice.body.code]).toEqual([409, "40918"]);
    const code = await call(reveal, "/library/reveal", {
      body: { library_id: line!.keys[0]!.library_id },
      headers: headersOf(buyer),
    });
    expect([code.status, code.body.code]).toEqual([409, "40913"]);
  });

  it.each([
    ["en", "About this pass: Not refundable: a pass of less than 30 days."],
    ["zh", "关于这张会员卡：不足 30 天的会员卡不支持退款。"],
    ["ja", "このパスについて：30日未満のパスは返金の対象外です。"],
  ])("says in %s why a pass cannot be given back", async (language, sentence) => {
    const answer = await ask(await bought(dayPlan), buyer, language);
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([409, "40917", sentence]);
  });

  it("asks a guest to log in, and answers another's line like a missing one", async () => {
    const body = await bought();
    expect((await ask(body, null)).body.code).toBe("401");
    const foreign = await ask(body, stranger);
    const missing = await ask({ ...body, order_id: "ord_none" }, stranger);
    expect([foreign.status, foreign.body.code]).toEqual([404, "40402"]);
    expect(foreign.body).toEqual(missing.body);
    expect((await ask({ ...body, order_product_id: "line_none" })).body.code).toBe("40402");
    const mixed = await ask({ ...body, order_product_id: (await bought()).order_product_id });
    expect(mixed.body.code).toBe("40402");
    const rows = await db.execute(sql`
      select 1 from refund_requests q join order_lines l on l.id = q.order_line_id where l.order_id = ${body.order_id}`);
    expect(rows).toHaveLength(0);
  });

  it("refuses nonsense", async () => {
    for (const body of [
      {},
      { order_id: "x" },
      { order_id: "", order_product_id: "" },
      { order_id: 1, order_product_id: [] },
    ])
      expect((await ask(body)).body.code).toBe("40000");
    const body = await bought();
    expect((await ask({ ...body, amount: 999 })).body.code).toBe("40000");
    expect((await ask({ ...body, user_id: stranger.id })).body.code).toBe("40300");
  });
});

describe("POST /order/resend", () => {
  it("sends three times an hour, then says when again", async () => {
    const { order_id } = await bought();
    for (let time = 0; time < 3; time += 1)
      expect(ResendView.parse((await again({ order_id })).body.data)).toEqual({
        order_id,
        send_email: buyer.email,
        sent: 1,
      });
    const much = await again({ order_id });
    expect([much.status, much.body.code]).toEqual([429, "429"]);
    expect(Number(much.headers.get("retry-after"))).toBeGreaterThan(3000);
  });

  it("is for one's own delivered orders", async () => {
    const { order_id } = await bought();
    expect((await again({ order_id }, null)).body.code).toBe("401");
    expect((await again({ order_id }, stranger)).body.code).toBe("40402");
    expect((await again({ order_id: await sale.orderOf(buyer, planId) })).body.code).toBe("40407");
  });
});
