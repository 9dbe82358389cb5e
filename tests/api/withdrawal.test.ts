import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { POST as choose } from "@/app/api/v1/order/update-delivery/route";
import { POST as answer } from "@/app/api/v1/order/vendor-confirmation/route";
import { POST as withdraw } from "@/app/api/v1/order/withdraw/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { deriveVerificationCode } from "@/lib/accounts/queries";
import { revealKey } from "@/lib/delivery/commands";
import { DeliveryChoiceView } from "@/lib/orders/delivery-options/contract";
import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import { WithdrawView } from "@/lib/orders/withdrawal/contract";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import * as sale from "../setup/sale";
import { call } from "./call";

vi.setConfig({ testTimeout: 60_000 });
let buyer: sale.Buyer;
let stranger: sale.Buyer;
let planId: number;
beforeAll(async () => {
  sale.receiveEventsHere();
  [buyer, stranger] = await Promise.all([sale.newBuyer(), sale.newBuyer()]);
  planId = (await createProduct({ plans: [{ type: "month", keys: 20 }] })).plans[0]!.id;
}, 60_000);
afterAll(sale.endSale);

type Who = sale.Buyer | null;
const headersOf = (who: Who, language = "en") => ({
  "accept-language": language,
  ...(who && { authorization: who.bearer }),
});
const ask = (body: object, who: Who = null, language?: string) =>
  call(withdraw, "/order/withdraw", { body, headers: headersOf(who, language) });
const pick = (body: object, who: Who = buyer) =>
  call(choose, "/order/update-delivery", { body, headers: headersOf(who) });

describe("POST /order/update-delivery", () => {
  it("answers what holds now, and is frozen once the order is paid", async () => {
    const order_id = await sale.orderOf(buyer, planId);
    const first = await pick({ order_id, keep_in_library: true, immediate_delivery: true });
    expect(DeliveryChoiceView.parse(first.body.data)).toMatchObject({
      keep_in_library: true,
      immediate_delivery: true,
    });
    const nothing = await pick({ order_id });
    expect(nothing.body.data).toEqual(first.body.data);
    await sale.pay(buyer, order_id);
    await sale.eventsArrived();
    await sale.runQueue();
    const late = await pick({ order_id, keep_in_library: false });
    expect([late.status, late.body.code]).toEqual([409, "40912"]);
  });

  it("asks a guest to log in, and answers another's order like a missing one", async () => {
    const order_id = await sale.orderOf(buyer, planId);
    expect((await pick({ order_id }, null)).body.code).toBe("401");
    const foreign = await pick({ order_id, keep_in_library: true }, stranger);
    const missing = await pick({ order_id: "ord_none", keep_in_library: true }, stranger);
    expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
  });
});

describe("POST /order/withdraw", () => {
  it("goes from the e-mail to the money without a session", async () => {
    const order_id = await sale.sell(buyer, planId);
    const sent = await ask({ order_id, email: buyer.email.toUpperCase() });
    expect(WithdrawView.parse(sent.body.data)).toMatchObject({ step: "code_sent", token: null, lines: [] });
    const [row] = await db.execute<{ id: string }>(
      sql`select id from verification_codes where email = ${buyer.email} and purpose = 'withdraw'`,
    );
    const code = deriveVerificationCode(row!.id);
    const wrong = await ask({ order_id, email: buyer.email, code: code === "111111" ? "222222" : "111111" });
    expect([wrong.status, wrong.body.code]).toEqual([400, "40001"]);
    const review = WithdrawView.parse((await ask({ order_id, email: buyer.email, code })).body.data);
    expect(review).toMatchObject({ step: "review", refund_amount: 10, email: buyer.email });
    const done = await ask({ order_id, token: review.token, confirm: true });
    expect(WithdrawView.parse(done.body.data)).toMatchObject({ step: "done", refund_amount: 10 });
    const again = await ask({ order_id, token: review.token, confirm: true });
    expect(again.body.data).toMatchObject({ step: "done", refund_amount: 10 });
  });

  it("answers the owner by session, and nobody else's", async () => {
    const order_id = await sale.sell(buyer, planId);
    expect((await ask({ order_id }, buyer)).body.data).toMatchObject({ step: "review", token: null });
    expect((await ask({ order_id })).body.code).toBe("401");
    const foreign = await ask({ order_id, confirm: true }, stranger);
    const missing = await ask({ order_id: "ord_none", confirm: true }, stranger);
    expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
    expect(foreign.body.code).toBe("40402");
  });
});

describe("POST /order/vendor-confirmation", () => {
  it("takes signed links only", async () => {
    const refused = await call(answer, "/order/vendor-confirmation", { body: { token: "x.y" } });
    expect([refused.status, refused.body.code]).toEqual([404, "40415"]);
  });

  it("decides by the link, and says so to whoever opens it again", async () => {
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
      const said = await call(answer, "/order/vendor-confirmation", { body });
      expect([said.status, said.body.data]).toEqual([200, { answer: "used", decided, state: "refused" }]);
    }
  });
});
