import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createStaff } from "@/db/factories/staff";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import {
  requestReplacement,
  requestReplacementByStaff,
} from "@/lib/delivery/replacement/request-replacement";
import { CONSENT_WORDING_VERSION, MASKED_CODE, TERMS_VERSION } from "@/lib/delivery/rules";
import { evidenceBlocks } from "@/lib/orders/console/evidence-blocks";
import { getDisputeEvidence, readEvidence } from "@/lib/orders/console/get-dispute-evidence";
import { findConsoleDispute } from "@/lib/orders/console/list-console-disputes";
import { updateDispute } from "@/lib/orders/disputes/update-dispute";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import type { PdfBlock } from "@/lib/platform/pdf";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { disputeSandboxPayment } from "../setup/sandbox-bank";

registerSaleHooks();
let buyer: sale.Buyer;
beforeAll(async () => {
  buyer = await sale.createBuyer();
});

async function openDispute(orderId: string, status: "needs_response" | "won" = "needs_response") {
  const [row] = await db.execute<{ id: string }>(
    sql`select transaction_id as id from orders where id = ${orderId}`,
  );
  const id = await disputeSandboxPayment(row!.id, status);
  await sale.processEvents();
  return id!;
}

const textOf = (blocks: readonly PdfBlock[]): string => JSON.stringify(blocks);

it("the evidence contains all that a bank wants, and no code", async () => {
  const plan = await createSinglePlan({ type: "month", keys: 3 });
  const orderId = await sale.sellWithChoice(buyer, plan.id, { immediate_delivery: false }, 2);
  const keys = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${plan.id} and state = 'assigned' order by slot`,
  );
  const revealed = await revealKey(buyer.viewer, { library_id: keys[0]!.id }, "ja");
  await requestReplacement(buyer.viewer, {
    library_id: keys[0]!.id,
    reason: `${revealed.code} does not work`,
  });
  await sealCustody({ all: true });
  const disputeId = await openDispute(orderId);
  const facts = await readEvidence(disputeId, "en");
  const at = new Date().toISOString();
  const text = textOf(await evidenceBlocks(facts, at, "en"));
  const [payment] = facts.order.payments;
  const words = shopTranslator("ja");
  for (const part of [
    disputeId,
    facts.order.order_number,
    payment!.transaction_id!,
    buyer.email,
    keys[0]!.id,
    keys[1]!.id,
    TERMS_VERSION,
    `${CONSENT_WORDING_VERSION} (ja)`,
    words("delivery.code.reveal"),
    words("delivery.code.consent_text"),
    "Showing the code".toLowerCase(),
    "Shown to its owner",
    "Assigned to the order",
    "Emails with codes",
    "seal 1, ",
    `open: ${MASKED_CODE} does not work`,
    " back within 15 days of payment while the code is unused",
    "/terms-of-service",
  ])
    expect(text).toContain(part);
  for (const locale of LOCALES) {
    const all = textOf(await evidenceBlocks(facts, at, locale)) + JSON.stringify(facts);
    expect(all).not.toContain(revealed.code);
    expect(all).not.toMatch(/TEST-[0-9A-F]/);
  }
  const { fileName, file } = await getDisputeEvidence(disputeId, "en");
  expect(fileName).toBe(`evidence-${facts.order.order_number}-${disputeId}.pdf`);
  expect(file.subarray(0, 5).toString()).toBe("%PDF-");
});

it("the evidence marks what staff requested for the buyer, without their words", async () => {
  const plan = await createSinglePlan({ type: "month", keys: 2 });
  const orderId = await sale.sell(buyer, plan.id);
  const [key] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${plan.id} and state = 'assigned'`,
  );
  const { viewer } = await createStaff({ roles: ["support"] });
  const reason = "Ticket 4711: looks like friendly fraud.";
  await requestReplacementByStaff(viewer, { orderId, keyId: key!.id, reason });
  const facts = await readEvidence(await openDispute(orderId), "en");
  expect(facts.requests).toMatchObject([
    { kind: "replacement", by_staff: true, state: "asked", words: null },
  ]);
  expect(JSON.stringify(facts.requests)).not.toContain("4711");
  for (const locale of LOCALES) {
    const text = textOf(await evidenceBlocks(facts, new Date().toISOString(), locale));
    expect(text).not.toContain("4711");
    if (locale === "en") expect(text).toContain("Replacement requested · by staff, for the buyer");
  }
});

it("the evidence of mailed codes has the wording of the checkout and the deliveries", async () => {
  const plan = await createSinglePlan({ keys: 1 });
  const orderId = await sale.sellWithChoice(buyer, plan.id, { immediate_delivery: true });
  const disputeId = await openDispute(orderId);
  const text = textOf(
    await evidenceBlocks(await readEvidence(disputeId, "en"), new Date().toISOString(), "en"),
  );
  const [mail] = await db.execute<{ id: string }>(
    sql`select id from mails where event = 'keys' and refs->>'orderId' = ${orderId}`,
  );
  for (const part of [
    mail!.id,
    "Emailed to the buyer",
    "Codes emailed immediately, as chosen",
    "No code was shown.",
  ])
    expect(text).toContain(part);
});

it("the evidence of an order from before the delivery choice says that nothing was recorded", async () => {
  const plan = await createSinglePlan({ keys: 1 });
  const orderId = await sale.sell(buyer, plan.id);
  await sale.removeDeliveryChoice(orderId);
  const disputeId = await openDispute(orderId);
  const text = textOf(
    await evidenceBlocks(await readEvidence(disputeId, "en"), new Date().toISOString(), "en"),
  );
  expect(text).toContain("No consent was recorded.");
  expect(text).toContain(`${TERMS_VERSION} (the version in force)`);
});

it("the due day of the evidence is stored, follows the provider, and is kept after the end", async () => {
  const plan = await createSinglePlan({ keys: 1 });
  const orderId = await sale.sell(buyer, plan.id);
  const id = await openDispute(orderId);
  const due = async () => (await findConsoleDispute(id))!.evidence_due_at;
  const first = await due();
  expect(Date.parse(first!) - Date.now()).toBeGreaterThan(8 * 86_400_000);
  await db.execute(
    sql`update sandbox_disputes set created_at = created_at + interval '2 days' where id = ${id}`,
  );
  await updateDispute(id);
  expect(Date.parse((await due())!) - Date.parse(first!)).toBe(2 * 86_400_000);
  await openDispute(orderId, "won");
  expect(await findConsoleDispute(id)).toMatchObject({ status: "won", is_open: false });
  expect(await due()).not.toBeNull();
  expect(await findConsoleDispute("du_none")).toBeNull();
  await expect(readEvidence("du_none", "en")).rejects.toMatchObject({ error: "dispute_unknown" });
});
