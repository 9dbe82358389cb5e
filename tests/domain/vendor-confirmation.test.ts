import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { remindOfCodeRequests } from "@/lib/delivery/replacement/queue-code-request";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { getOrder } from "@/lib/orders/find-order";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { sweepJob } from "@/lib/orders/jobs";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { answerVendorConfirmation } from "@/lib/orders/vendor-confirmation/answer-vendor-confirmation";
import { codeReference } from "@/lib/orders/vendor-confirmation/code-reference";
import { findVendorConfirmation } from "@/lib/orders/vendor-confirmation/find-vendor-confirmation";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { supportAddress } from "@/lib/platform/support-address";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

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

/** A refund request of a mailed pass that this merchant sells. */
async function askMerchant(merchantId: string) {
  const product = await createProduct({ merchantId, plans: [{ type: "month", keys: 2 }] });
  const orderId = await sale.sell(buyer, product.plans[0]!.id);
  const [line] = (await getOrder(buyer.viewer, orderId, "en")).order_products;
  await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: line!.order_product_id }, "en");
  await sale.runQueue();
  const [request] = await db.execute<{ id: string }>(sql`
    select id from refund_requests where order_line_id = ${line!.order_product_id}`);
  return { orderId, requestId: request!.id };
}
/** Emails to merchants about a request, the oldest first. */
const listMailsOf = async (requestId: string) => [
  ...(await db.execute<{ to: string; locale: string; reminder: string | null }>(sql`
    select to_address as "to", locale, refs->>'reminder' as reminder from mails
    where refs->>'requestId' = ${requestId} and event in ('vendor-confirmation', 'code-request') order by created_at, id`)),
];

describe("the vendor confirmation", () => {
  it("identifies the code by its last characters and digest, without the code or the buyer", async () => {
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

  it("goes to the merchant's support address and its owners in their languages, never to the shop's address", async () => {
    const merchant = await createMerchant();
    const owner = await createSeller(merchant);
    await createSeller(merchant, { role: "member" });
    const support = `${newId("support")}@merchant.example`;
    await db.execute(
      sql`update merchants set support_email = ${support}, locale = 'ja' where id = ${merchant.id}`,
    );
    await db.execute(sql`update users set locale = 'zh' where id = ${owner.id}`);
    const { requestId, orderId } = await askMerchant(merchant.id);
    const asked = await listMailsOf(requestId);
    expect(asked.map(({ to, locale }) => [to, locale]).sort()).toEqual(
      [
        [owner.email, "zh"],
        [support, "ja"],
      ].sort(),
    );
    const [mail] = (await findMailboxMails(support)) ?? [];
    const token = /vendor-confirmation\?token=([\w.%-]+)/.exec(mail!.text)![1]!;
    expect(await answerVendorConfirmation({ token: decodeURIComponent(token) })).toMatchObject({
      decided: true,
    });
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
  });

  it("reminds the merchant once, 24 hours before the deadline", async () => {
    const merchant = await createMerchant();
    const owner = await createSeller(merchant);
    const { requestId } = await askMerchant(merchant.id);
    await sweepJob.run(undefined);
    expect(await listMailsOf(requestId)).toHaveLength(1);
    await sale.setClockAhead("24 hours 1 minute");
    await sweepJob.run(undefined);
    await sweepJob.run(undefined);
    await sale.runQueue();
    expect((await listMailsOf(requestId)).map(({ to, reminder }) => [to, reminder])).toEqual([
      [owner.email, null],
      [owner.email, "1"],
    ]);
    const subjects = ((await findMailboxMails(owner.email)) ?? []).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith("24 hours left"))).toHaveLength(1);
  });

  it("never asks an owner about a pass that they bought", async () => {
    const merchant = await createMerchant();
    const owner = await createSeller(merchant);
    buyer = owner;
    const { requestId } = await askMerchant(merchant.id);
    expect((await listMailsOf(requestId)).map(({ to }) => to)).toEqual([supportAddress()]);
  });

  it("has a counterpart for codes that do not work, where the merchant is emailed, and reminded after a day", async () => {
    const merchant = await createMerchant();
    const owner = await createSeller(merchant);
    const support = `${newId("support")}@merchant.example`;
    await db.execute(sql`update merchants set support_email = ${support} where id = ${merchant.id}`);
    const product = await createProduct({ merchantId: merchant.id, plans: [{ type: "month", keys: 2 }] });
    const orderId = await sale.sell(buyer, product.plans[0]!.id);
    const [line] = (await getOrder(buyer.viewer, orderId, "en")).order_products;
    await requestReplacement(buyer.viewer, {
      library_id: line!.keys[0]!.library_id,
      reason: "refused as used",
    });
    const [request] = await db.execute<{ id: string }>(sql`
      select id from replacement_requests where user_id = ${buyer.id}`);
    const asked = await listMailsOf(request!.id);
    expect(asked.map(({ to }) => to).sort()).toEqual([owner.email, support].sort());
    await remindOfCodeRequests();
    expect(await listMailsOf(request!.id)).toHaveLength(2);
    await sale.setClockAhead("24 hours 1 minute");
    await remindOfCodeRequests();
    await remindOfCodeRequests();
    expect(await listMailsOf(request!.id)).toHaveLength(4);
    await sale.runQueue();
    const [mail] = ((await findMailboxMails(support)) ?? []).filter(({ event }) => event === "code-request");
    expect(mail!.text).toContain(`/merchant/${merchant.handle}/requests`);
    expect(mail!.text).not.toContain(buyer.email);
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

  it("decides only about the codes that its email names, none for links of former releases", async () => {
    const { used } = await requestConfirmation();
    const named = JSON.parse(Buffer.from(used.split(".")[0]!, "base64url").toString("utf8"));
    const { request } = named;
    expect(named).toEqual({ request, answer: "used", version: expect.stringMatching(/^[0-9a-f]{16}$/) });
    const stateOf = async () => (await findVendorConfirmation(used, "en"))!.state;
    // Links of an email that named other codes of the pass.
    for (const answer of ["used", "unused"]) {
      const token = createSignedToken("vendor-confirmation", {
        request,
        answer,
        version: "0123456789abcdef",
      });
      expect(await getErrorName(answerVendorConfirmation({ token }))).toBe("revision_conflict");
    }
    expect(await stateOf()).toBe("asked");
    const former = createSignedToken("vendor-confirmation", { request, answer: "used" });
    expect(await answerVendorConfirmation({ token: former })).toMatchObject({ decided: true });
    expect(await stateOf()).toBe("refused");
    expect(await findVendorConfirmation(used, "en")).toMatchObject({ codes: [], token: used });
  });

  it("names the codes in its form, which decides only about those even behind a link of a former release", async () => {
    const { used, code } = await requestConfirmation();
    const { request } = JSON.parse(Buffer.from(used.split(".")[0]!, "base64url").toString("utf8"));
    const former = createSignedToken("vendor-confirmation", { request, answer: "used" });
    const shown = (await findVendorConfirmation(former, "en"))!;
    expect(shown.codes).toEqual([codeReference(code)]);
    expect(shown.token).toBe(used);
    expect(await findVendorConfirmation(used, "en")).toMatchObject({ codes: shown.codes, token: used });
  });

  it("accepts one of two different concurrent answers", async () => {
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

  it("rejects an answer after 48 hours, when the refund is approved without it", async () => {
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
