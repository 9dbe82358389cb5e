import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { findMailboxMails } from "@/lib/notifications/queries";
import { revealKey } from "@/lib/orders/fulfilment/commands";
import { getOrder } from "@/lib/orders/queries";
import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import { answerVendorConfirmation } from "@/lib/orders/vendor-confirmation/commands";
import { codeReference, findVendorConfirmation } from "@/lib/orders/vendor-confirmation/queries";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { supportAddress } from "@/lib/platform/support-address";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

vi.setConfig({ testTimeout: 120_000 });
registerSaleHooks({ runJobs: true });
let buyer: sale.Buyer;
let vendor: string;
beforeEach(async () => {
  buyer = await sale.createBuyer();
  vendor = `${newId("vendor")}@vendor.example`;
});

/** A sold and mailed pass with a refund request: its code, and the tokens of the links in the vendor's email. */
async function requestConfirmation(email: string | null = vendor) {
  const product = await createProduct({ plans: [{ type: "month", keys: 2 }] });
  await db.execute(sql`update products set vendor_email = ${email} where id = ${product.id}`);
  const orderId = await sale.sell(buyer, product.plans[0]!.id);
  const [line] = (await getOrder(buyer.viewer, orderId, "en")).order_products;
  const { code } = await revealKey(buyer.viewer, { library_id: line!.keys[0]!.library_id });
  await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: line!.order_product_id }, "en");
  await sale.runQueue();
  const mails = (await findMailboxMails(email ?? supportAddress())) ?? [];
  const [mail] = mails.filter((mail) => mail.event === "vendor-confirmation");
  const tokens = [...mail!.text.matchAll(/vendor-confirmation\?token=([\w.%-]+)/g)].map((match) =>
    decodeURIComponent(match[1]!),
  );
  return { orderId, code, mail: mail!, unused: tokens[0]!, used: tokens[1]! };
}

describe("the vendor confirmation", () => {
  it("identifies the code by its ending and digest, without the code or the buyer", async () => {
    const { code, mail } = await requestConfirmation();
    const digest = createHash("sha256").update(code).digest("hex").slice(0, 8);
    expect(mail.text).toContain(digest);
    expect(mail.text).toContain(`Ends in ${code.slice(-4)}`);
    for (const part of [mail.subject, mail.text, mail.html]) {
      expect(part).not.toContain(code);
      expect(part).not.toContain(buyer.email);
    }
  });

  it("shows only the digest of a short code", () => {
    expect(codeReference("ABCD-1234").ending).toBeNull();
    expect(codeReference("ABCD-1234-EFGH").ending).toBe("EFGH");
  });

  it("is sent to support when the vendor's email is unknown", async () => {
    const { mail } = await requestConfirmation(null);
    expect(mail.to).toContain(supportAddress());
  });

  it("refunds for 'unused' and refuses for 'used'; later answers change nothing", async () => {
    const unusedPass = await requestConfirmation();
    expect(await findVendorConfirmation(unusedPass.unused, "en")).toMatchObject({
      answer: "unused",
      state: "asked",
    });
    expect((await findVendorConfirmation(unusedPass.unused, "en"))!.state).toBe("asked"); // opening the page decides nothing
    expect(await answerVendorConfirmation({ token: unusedPass.unused })).toEqual({
      answer: "unused",
      decided: true,
      state: "approved",
    });
    expect(await answerVendorConfirmation({ token: unusedPass.used })).toEqual({
      answer: "used",
      decided: false,
      state: "approved",
    });
    await sale.runQueue();
    expect(await sale.getOrderStatus(unusedPass.orderId)).toBe("refunded");
    vendor = `${newId("vendor")}@vendor.example`;
    const usedPass = await requestConfirmation();
    expect(await answerVendorConfirmation({ token: usedPass.used })).toMatchObject({
      decided: true,
      state: "refused",
    });
    expect(await answerVendorConfirmation({ token: usedPass.unused })).toMatchObject({
      decided: false,
      state: "refused",
    });
    const [row] = await db.execute<{ decided_by: string }>(sql`
      select q.decided_by from refund_requests q join order_lines l on l.id = q.order_line_id where l.order_id = ${usedPass.orderId}`);
    expect(row!.decided_by).toBe("vendor");
  });

  it("accepts one of two different answers at once", async () => {
    const { used, unused, orderId } = await requestConfirmation();
    const responses = await Promise.all([
      answerVendorConfirmation({ token: used }),
      answerVendorConfirmation({ token: unused }),
    ]);
    expect(responses.filter((response) => response.decided)).toHaveLength(1);
    expect(new Set(responses.map((response) => response.state)).size).toBe(1);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe(
      responses[0]!.state === "approved" ? "refunded" : "completed",
    );
  });

  it("rejects an answer after 48 hours, when the refund is approved without one", async () => {
    const { used } = await requestConfirmation();
    await sale.setClockAhead("48 hours 1 minute");
    expect(await findVendorConfirmation(used, "en")).toMatchObject({ late: true });
    expect(await answerVendorConfirmation({ token: used })).toMatchObject({
      decided: false,
      state: "approved",
    });
  });

  it("rejects other tokens", async () => {
    const { used } = await requestConfirmation();
    for (const token of [`${used}x`, "x", createSignedToken("withdraw", { request: "x", answer: "used" })]) {
      expect(await getErrorName(answerVendorConfirmation({ token }))).toBe("link_invalid");
      expect(await findVendorConfirmation(token, "en")).toBeNull();
    }
    const unknown = createSignedToken("vendor-confirmation", { request: "rrq_none", answer: "used" });
    expect(await getErrorName(answerVendorConfirmation({ token: unknown }))).toBe("link_invalid");
  });
});
