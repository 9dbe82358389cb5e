import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as approveRefund } from "@/app/api/v1/admin/refunds/[id]/approve/route";
import { GET as listRefunds } from "@/app/api/v1/admin/refunds/route";
import { POST as choose } from "@/app/api/v1/order/update-delivery/route";
import { POST as decideRefund } from "@/app/api/v1/order/vendor-confirmation/route";
import { POST as withdraw } from "@/app/api/v1/order/withdraw/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { type CreatedMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import { answerRequest } from "@/lib/merchants/requests/answer-request";
import { MerchantRequestsInput } from "@/lib/merchants/requests/contract";
import { listMerchantRequests } from "@/lib/merchants/requests/list-merchant-requests";
import { DeliveryChoiceView } from "@/lib/orders/delivery-options/contract";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { WithdrawView } from "@/lib/orders/withdrawal/contract";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { authHeaders, call } from "./call";

let buyer: sale.Buyer;
let otherBuyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  [buyer, otherBuyer] = await Promise.all([sale.createBuyer(), sale.createBuyer()]);
  planId = (await createProduct({ plans: [{ type: "month", keys: 20 }] })).plans[0]!.id;
});
afterAll(sale.closeSale);

type Caller = sale.Buyer | null;
const callWithdraw = (body: object, caller: Caller = null, language?: string) =>
  call(withdraw, "/order/withdraw", { body, headers: authHeaders(caller, language) });
const chooseDelivery = (body: object, caller: Caller = buyer) =>
  call(choose, "/order/update-delivery", { body, headers: authHeaders(caller) });

describe("POST /order/update-delivery", () => {
  it("returns the current choice, and rejects changes after the payment", async () => {
    const order_id = await sale.orderPlan(buyer, planId);
    const first = await chooseDelivery({ order_id, keep_in_library: true, immediate_delivery: true });
    expect(DeliveryChoiceView.parse(first.body.data)).toMatchObject({
      keep_in_library: true,
      immediate_delivery: true,
    });
    const unchanged = await chooseDelivery({ order_id });
    expect(unchanged.body.data).toEqual(first.body.data);
    await sale.pay(buyer, order_id);
    await sale.waitForEvents();
    await sale.runQueue();
    const rejected = await chooseDelivery({ order_id, keep_in_library: false });
    expect([rejected.status, rejected.body.code]).toEqual([409, "40912"]);
  });

  it("rejects a guest with 401, and responds to another user's order as to a missing one", async () => {
    const order_id = await sale.orderPlan(buyer, planId);
    expect((await chooseDelivery({ order_id }, null)).body.code).toBe("401");
    const foreign = await chooseDelivery({ order_id, keep_in_library: true }, otherBuyer);
    const missing = await chooseDelivery({ order_id: "ord_none", keep_in_library: true }, otherBuyer);
    expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
  });
});

describe("POST /order/withdraw", () => {
  it("refunds by emailed code without a session", async () => {
    const order_id = await sale.sellWithChoice(buyer, planId, { immediate_delivery: false });
    const codeSent = await callWithdraw({ order_id, email: buyer.email.toUpperCase() });
    expect(WithdrawView.parse(codeSent.body.data)).toMatchObject({
      step: "code_sent",
      token: null,
      lines: [],
    });
    const [row] = await db.execute<{ id: string }>(
      sql`select id from verification_codes where email = ${buyer.email} and purpose = 'withdraw'`,
    );
    const code = deriveVerificationCode(row!.id);
    const wrong = await callWithdraw({
      order_id,
      email: buyer.email,
      code: code === "111111" ? "222222" : "111111",
    });
    expect([wrong.status, wrong.body.code]).toEqual([400, "40001"]);
    const review = WithdrawView.parse((await callWithdraw({ order_id, email: buyer.email, code })).body.data);
    expect(review).toMatchObject({ step: "review", refund_amount: 10, email: buyer.email });
    const done = await callWithdraw({ order_id, token: review.token, confirm: true });
    expect(WithdrawView.parse(done.body.data)).toMatchObject({ step: "done", refund_amount: 10 });
    const repeated = await callWithdraw({ order_id, token: review.token, confirm: true });
    expect(repeated.body.data).toMatchObject({ step: "done", refund_amount: 10 });
  });

  it("accepts the owner's session without a code, and no other user", async () => {
    const order_id = await sale.sell(buyer, planId);
    expect((await callWithdraw({ order_id }, buyer)).body.data).toMatchObject({
      step: "review",
      token: null,
    });
    expect((await callWithdraw({ order_id })).body.code).toBe("401");
    const foreign = await callWithdraw({ order_id, confirm: true }, otherBuyer);
    const missing = await callWithdraw({ order_id: "ord_none", confirm: true }, otherBuyer);
    expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
    expect(foreign.body.code).toBe("40402");
  });
});

describe("POST /order/withdraw with another country than the order's", () => {
  it("waits for staff, who see both countries, preview their decision and pay", async () => {
    const order_id = await sale.sellWithChoice(buyer, planId, { immediate_delivery: false });
    await db.execute(sql`update orders set country = 'US' where id = ${order_id}`);
    expect((await callWithdraw({ order_id }, buyer)).body.data).toMatchObject({
      country: "US",
      refund_amount: 0,
      lines: [{ reason: "elsewhere", units: 0 }],
    });
    const body = { order_id, country: "de", confirm: true };
    const asked = WithdrawView.parse((await callWithdraw(body, buyer)).body.data);
    expect(asked).toMatchObject({ step: "done", refund_amount: 0, review_amount: 10 });
    const staff = await createStaff({ roles: ["support"] });
    const headers = authHeaders(staff);
    const list = await call(listRefunds, "/admin/refunds", { headers });
    const [request] = list.body.data.items.filter((item: { order_id: string }) => item.order_id === order_id);
    expect(request).toMatchObject({ stated_country: "DE", order_country: "US", amount: 10, codes_seen: 0 });
    const [row] = await db.execute<{ merchant: string }>(
      sql`select merchant_id as merchant from refund_requests where id = ${request.refund_id}`,
    );
    const [merchant] = await db.execute<CreatedMerchant>(sql`
      select id, handle, name, state, trust from merchants where id = ${row!.merchant}`);
    const { member } = await createSeller(merchant!);
    const input = MerchantRequestsInput.parse({ kind: "refund", state: "open" });
    const seen = (await listMerchantRequests(member, input, "en")).items.map(({ request_id }) => request_id);
    expect(seen).not.toContain(request.refund_id);
    const answer = answerRequest(member, request.refund_id, { answer: "unused" });
    expect(await getErrorName(answer)).toBe("request_unknown");
    const path = "/admin/refunds/{id}/approve".replace("{id}", request.refund_id);
    const decide = (more: object) =>
      call(approveRefund, path, {
        params: { id: request.refund_id },
        body: { version: request.version, ...more },
        headers,
      });
    expect((await decide({ preview: true })).status).toBe(200);
    expect((await callWithdraw({ order_id }, buyer)).body.data.refund_amount).toBe(0);
    expect((await decide({})).body.data.result).toMatchObject({ state: "approved" });
    await sale.runQueue();
    const [order] = await db.execute<{ status: string }>(
      sql`select status from orders where id = ${order_id}`,
    );
    expect(order!.status).toBe("refunded");
  });
});

describe("POST /order/vendor-confirmation", () => {
  it("accepts signed links only", async () => {
    const rejected = await call(decideRefund, "/order/vendor-confirmation", { body: { token: "x.y" } });
    expect([rejected.status, rejected.body.code]).toEqual([404, "40415"]);
  });

  it("records the decision of the link, and returns it when the link is opened again", async () => {
    const order_id = await sale.sell(buyer, planId);
    const [line] = await db.execute<{ id: string; key: string }>(sql`
      select l.id, k.id as key from order_lines l join keys k on k.order_line_id = l.id where l.order_id = ${order_id}`);
    await revealKey(buyer.viewer, { library_id: line!.key });
    await requestRefund(buyer.viewer, { order_id, order_product_id: line!.id }, "en");
    const [request] = await db.execute<{ id: string }>(
      sql`select id from refund_requests where order_line_id = ${line!.id}`,
    );
    const body = {
      token: createSignedToken("vendor-confirmation", { request: request!.id, answer: "used" }),
    };
    for (const decided of [true, false]) {
      const response = await call(decideRefund, "/order/vendor-confirmation", { body });
      expect([response.status, response.body.data]).toEqual([
        200,
        { answer: "used", decided, state: "refused" },
      ]);
    }
  });
});
