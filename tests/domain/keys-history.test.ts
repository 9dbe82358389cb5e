import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { activatePass } from "@/lib/delivery/library/activate-pass";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { chooseDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { getOrder } from "@/lib/orders/find-order";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { vendorConfirmationMail } from "@/lib/orders/vendor-confirmation/vendor-confirmation-mail";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/withdraw-from-order";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });
let buyer: sale.Buyer;
beforeAll(async () => {
  buyer = await sale.createBuyer();
});

describe("the history of a unit", () => {
  /** A month pass of which the code was used in some way, and then replaced by one that nobody has seen. */
  const createReplaced = async (use: (keyId: string) => Promise<unknown>) => {
    const { plans } = await createProduct({ plans: [{ type: "month", keys: 2 }] });
    const orderId = await sale.orderPlan(buyer, plans[0]!.id);
    const kept = { order_id: orderId, keep_in_library: true, immediate_delivery: true };
    await chooseDelivery(buyer.viewer, kept);
    await sale.pay(buyer, orderId);
    await sale.processEvents();
    const [key] = await db.execute<{ id: string }>(sql`
      select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}`);
    await use(key!.id);
    await requestReplacement(buyer.viewer, { library_id: key!.id, reason: "It does not work." });
    const [replacement] = await db.execute<{ id: string }>(
      sql`select id from replacement_requests where key_id = ${key!.id}`,
    );
    await approveReplacement(replacement!.id, "staff:x");
    await sale.runQueue();
    const findLine = async () => (await getOrder(buyer.viewer, orderId, "en")).order_products[0]!;
    const input = { order_id: orderId, order_product_id: (await findLine()).order_product_id };
    return { orderId, findLine, request: () => requestRefund(buyer.viewer, input, "en") };
  };
  const reveal = (library_id: string) => revealKey(buyer.viewer, { library_id });

  it("with a revealed and replaced code needs the vendor's confirmation, which names both codes", async () => {
    const { orderId, findLine, request } = await createReplaced(reveal);
    expect(await findLine()).toMatchObject({ can_refund: true, refund_at_once: false });
    expect((await request()).state).toBe("asked");
    const [mail] = await db.execute<{ id: string }>(sql`
      select q.id from refund_requests q join order_lines l on l.id = q.order_line_id where l.order_id = ${orderId}`);
    expect((await vendorConfirmationMail(mail!.id, false, "en"))!.codes).toHaveLength(2);
    await decideRefundRequest(mail!.id, { decision: "refused", by: "vendor" });
    expect((await findLine()).refund.reason).toBe("redeemed");
    expect(await getErrorName(request())).toBe("refund_not_allowed");
  });

  it("counts as used when an activated code was replaced", async () => {
    const { findLine, request } = await createReplaced(async (library_id) => {
      await reveal(library_id);
      await activatePass(buyer.viewer, { library_id });
    });
    expect((await findLine()).refund.reason).toBe("redeemed");
    expect(await getErrorName(request())).toBe("refund_not_allowed");
  });

  it("also ends the right of withdrawal", async () => {
    const { orderId } = await createReplaced(reveal);
    const withdrawal = { order_id: orderId, confirm: true };
    expect(await withdrawFromOrder(buyer.viewer, withdrawal, "en", "203.0.113.7")).toMatchObject({
      refund_amount: 0,
      lines: [{ units: 0, reason: "shown" }],
    });
  });

  it("allows an immediate refund of an unrevealed code that was replaced", async () => {
    const { findLine, request } = await createReplaced(async () => {});
    expect(await findLine()).toMatchObject({ can_refund: true, refund_at_once: true });
    expect((await request()).state).toBe("approved");
  });
});
