import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as reveal } from "@/app/api/v1/library/reveal/route";
import { GET as detail } from "@/app/api/v1/order/detail/route";
import { POST as request } from "@/app/api/v1/order/refund/request/route";
import { POST as resend } from "@/app/api/v1/order/resend/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { OrderDetail } from "@/lib/orders/contract";
import { RefundRequestView, ResendView } from "@/lib/orders/refunds/contract";
import * as sale from "../setup/sale";
import { authHeaders, call } from "./call";

let buyer: sale.Buyer;
let otherBuyer: sale.Buyer;
let planId: number;
let dayPlan: number;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  [buyer, otherBuyer] = await Promise.all([sale.createBuyer(), sale.createBuyer()]);
  const plans = [
    { type: "month" as const, keys: 9 },
    { type: "day" as const, keys: 9 },
  ];
  [planId, dayPlan] = (await createProduct({ plans })).plans.map((plan) => plan.id) as [number, number];
});
afterAll(sale.closeSale);

type Caller = sale.Buyer | null;
const readOrder = async (orderId: string) => {
  const response = await call(detail, "/order/detail", {
    query: `order_id=${orderId}`,
    headers: authHeaders(buyer),
  });
  return OrderDetail.parse(response.body.data);
};
const buyPass = async (plan = planId) => {
  const order_id = await sale.sell(buyer, plan);
  const [line] = (await readOrder(order_id)).order_products;
  return { order_id, order_product_id: line!.order_product_id };
};
const requestRefund = (body: object, caller: Caller = buyer, language?: string) =>
  call(request, "/order/refund/request", { body, headers: authHeaders(caller, language) });
const resendEmail = (body: object, caller: Caller = buyer) =>
  call(resend, "/order/resend", { body, headers: authHeaders(caller) });

describe("POST /order/refund/request", () => {
  it("returns the state of the request, and the order shows the same", async () => {
    const body = await buyPass();
    const response = await requestRefund(body);
    const view = RefundRequestView.parse(response.body.data);
    expect(view).toEqual({ ...body, state: "asked", refund_amount: 10, answer_by: expect.any(String) });
    const [line] = (await readOrder(body.order_id)).order_products;
    expect(line!.refund_request).toMatchObject({ state: "asked", answer_by: view.answer_by });
    const repeated = await requestRefund(body);
    expect([repeated.status, repeated.body.code]).toEqual([409, "40918"]);
    const code = await call(reveal, "/library/reveal", {
      body: { library_id: line!.keys[0]!.library_id },
      headers: authHeaders(buyer),
    });
    expect([code.status, code.body.code]).toEqual([409, "40913"]);
  });

  it.each([
    ["en", "About this pass: No refund: the code has been shown or emailed."],
    ["zh", "关于这张会员卡：激活码已显示或已发送邮件，不再退款。"],
    ["ja", "このパスについて：コードを表示またはメールで送信したため、返金できません。"],
  ])("says in %s why a pass is not refundable", async (language, sentence) => {
    const response = await requestRefund(await buyPass(dayPlan), buyer, language);
    expect([response.status, response.body.code, response.body.message]).toEqual([409, "40917", sentence]);
  });

  it("rejects a guest with 401, and responds to another user's line as to a missing one", async () => {
    const body = await buyPass();
    expect((await requestRefund(body, null)).body.code).toBe("401");
    const foreign = await requestRefund(body, otherBuyer);
    const missing = await requestRefund({ ...body, order_id: "ord_none" }, otherBuyer);
    expect([foreign.status, foreign.body.code]).toEqual([404, "40402"]);
    expect(foreign.body).toEqual(missing.body);
    expect((await requestRefund({ ...body, order_product_id: "line_none" })).body.code).toBe("40402");
    const mixed = await requestRefund({ ...body, order_product_id: (await buyPass()).order_product_id });
    expect(mixed.body.code).toBe("40402");
    const rows = await db.execute(sql`
      select 1 from refund_requests q join order_lines l on l.id = q.order_line_id where l.order_id = ${body.order_id}`);
    expect(rows).toHaveLength(0);
  });

  it("rejects malformed input", async () => {
    for (const body of [
      {},
      { order_id: "x" },
      { order_id: "", order_product_id: "" },
      { order_id: 1, order_product_id: [] },
    ])
      expect((await requestRefund(body)).body.code).toBe("40000");
    const body = await buyPass();
    expect((await requestRefund({ ...body, amount: 999 })).body.code).toBe("40000");
    expect((await requestRefund({ ...body, user_id: otherBuyer.id })).body.code).toBe("40300");
  });
});

describe("POST /order/resend", () => {
  it("sends three times an hour, then responds with Retry-After", async () => {
    const { order_id } = await buyPass();
    for (let time = 0; time < 3; time += 1)
      expect(ResendView.parse((await resendEmail({ order_id })).body.data)).toEqual({
        order_id,
        send_email: buyer.email,
        sent: 1,
      });
    const rejected = await resendEmail({ order_id });
    expect([rejected.status, rejected.body.code]).toEqual([429, "429"]);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(3000);
  });

  it("accepts only the user's own delivered orders", async () => {
    const { order_id } = await buyPass();
    expect((await resendEmail({ order_id }, null)).body.code).toBe("401");
    expect((await resendEmail({ order_id }, otherBuyer)).body.code).toBe("40402");
    expect((await resendEmail({ order_id: await sale.orderPlan(buyer, planId) })).body.code).toBe("40407");
  });
});
