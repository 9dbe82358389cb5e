import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { revealKey } from "@/lib/delivery/commands";
import { findMailboxMails } from "@/lib/notifications/queries";
import { getOrder } from "@/lib/orders/queries";
import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import { answerVendorConfirmation } from "@/lib/orders/vendor-confirmation/commands";
import { codeReference, findVendorConfirmation } from "@/lib/orders/vendor-confirmation/queries";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { supportAddress } from "@/lib/platform/pages/page-urls";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
let maker: string;
beforeAll(() => sale.receiveEventsHere());
beforeEach(async () => {
  buyer = await sale.newBuyer();
  maker = `${newId("maker")}@maker.example`;
});
afterEach(async () => {
  await sale.setClockAhead("0");
  await sale.runQueue();
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

/** A sold and mailed pass whose refund was asked for; its code, and the links that its maker got. */
async function ask(email: string | null = maker) {
  const product = await createProduct({ plans: [{ type: "month", keys: 2 }] });
  await db.execute(sql`update products set vendor_email = ${email} where id = ${product.id}`);
  const orderId = await sale.sell(buyer, product.plans[0]!.id);
  const [line] = (await getOrder(buyer.viewer, orderId, "en")).order_products;
  const { code } = await revealKey(buyer.viewer, { library_id: line!.keys[0]!.library_id });
  await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: line!.order_product_id }, "en");
  await sale.runQueue();
  const mails = (await findMailboxMails(email ?? supportAddress())) ?? [];
  const [mail] = mails.filter((one) => one.event === "vendor-confirmation");
  const tokens = [...mail!.text.matchAll(/vendor-confirmation\?token=([\w.%-]+)/g)].map((m) =>
    decodeURIComponent(m[1]!),
  );
  return { orderId, code, mail: mail!, unused: tokens[0]!, used: tokens[1]! };
}

describe("the question to a maker", () => {
  it("names the code by its ending and its digest, never the code nor the buyer", async () => {
    const { code, mail } = await ask();
    const digest = createHash("sha256").update(code).digest("hex").slice(0, 8);
    expect(mail.text).toContain(digest);
    expect(mail.text).toContain(`Ends in ${code.slice(-4)}`);
    for (const part of [mail.subject, mail.text, mail.html]) {
      expect(part).not.toContain(code);
      expect(part).not.toContain(buyer.email);
    }
  });

  it("shows nothing of a short code but its digest", () => {
    expect(codeReference("ABCD-1234").ending).toBeNull();
    expect(codeReference("ABCD-1234-EFGH").ending).toBe("EFGH");
  });

  it("goes to support where the maker's address is not known", async () => {
    const { mail } = await ask(null);
    expect(mail.to).toContain(supportAddress());
  });

  it("answered with 'not used' pays back, with 'used' refuses; once, whatever is pressed later", async () => {
    const free = await ask();
    expect(await findVendorConfirmation(free.unused, "en")).toMatchObject({
      answer: "unused",
      state: "asked",
    });
    expect((await findVendorConfirmation(free.unused, "en"))!.state).toBe("asked"); // looking decides nothing
    expect(await answerVendorConfirmation({ token: free.unused })).toEqual({
      answer: "unused",
      decided: true,
      state: "approved",
    });
    expect(await answerVendorConfirmation({ token: free.used })).toEqual({
      answer: "used",
      decided: false,
      state: "approved",
    });
    await sale.runQueue();
    expect(await sale.statusOf(free.orderId)).toBe("refunded");
    maker = `${newId("maker")}@maker.example`;
    const spent = await ask();
    expect(await answerVendorConfirmation({ token: spent.used })).toMatchObject({
      decided: true,
      state: "refused",
    });
    expect(await answerVendorConfirmation({ token: spent.unused })).toMatchObject({
      decided: false,
      state: "refused",
    });
    const [row] = await db.execute<{ decided_by: string }>(sql`
      select q.decided_by from refund_requests q join order_lines l on l.id = q.order_line_id where l.order_id = ${spent.orderId}`);
    expect(row!.decided_by).toBe("vendor");
  });

  it("pressed at the same time both ways has one winner", async () => {
    const { used, unused, orderId } = await ask();
    const answers = await Promise.all([
      answerVendorConfirmation({ token: used }),
      answerVendorConfirmation({ token: unused }),
    ]);
    expect(answers.filter((answer) => answer.decided)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.state)).size).toBe(1);
    await sale.runQueue();
    expect(await sale.statusOf(orderId)).toBe(answers[0]!.state === "approved" ? "refunded" : "completed");
  });

  it("comes too late after 48 hours: silence has answered", async () => {
    const { used } = await ask();
    await sale.setClockAhead("48 hours 1 minute");
    expect(await findVendorConfirmation(used, "en")).toMatchObject({ late: true });
    expect(await answerVendorConfirmation({ token: used })).toMatchObject({
      decided: false,
      state: "approved",
    });
  });

  it("takes no other token", async () => {
    const { used } = await ask();
    for (const token of [`${used}x`, "x", createSignedToken("withdraw", { request: "x", answer: "used" })]) {
      expect(await refusal(answerVendorConfirmation({ token }))).toBe("link_invalid");
      expect(await findVendorConfirmation(token, "en")).toBeNull();
    }
    const unknown = createSignedToken("vendor-confirmation", { request: "rrq_none", answer: "used" });
    expect(await refusal(answerVendorConfirmation({ token: unknown }))).toBe("link_invalid");
  });
});
