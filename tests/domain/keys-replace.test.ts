import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createStaff } from "@/db/factories/staff";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import { verifyCustody } from "@/lib/delivery/custody/verify-custody";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { approveReplacement, refuseReplacement } from "@/lib/delivery/replacement/decide-replacement";
import {
  requestReplacement,
  requestReplacementByStaff,
} from "@/lib/delivery/replacement/request-replacement";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { errorMessage } from "@/lib/platform/error-messages";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { auditSale } from "../setup/audit";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
});
afterEach(async () => {
  await sale.runQueue();
  expect(await auditSale({ whenIdle: true })).toEqual([]);
});
afterAll(async () => {
  await sealCustody({ all: true });
  const problems: string[] = [];
  await verifyCustody(({ message }) => problems.push(message));
  await sale.closeSale();
  expect(problems).toEqual([]);
});

const requestForKey = (library_id: string, user = buyer) =>
  requestReplacement(user.viewer, { library_id, reason: "The vendor says: already used." });
const findOpenRequest = async (keyId: string) => {
  const [row] = await db.execute<{ id: string }>(
    sql`select id from replacement_requests where key_id = ${keyId} and state = 'asked'`,
  );
  return row!.id;
};
async function createSoldKeys(keys = 3, quantity = 2) {
  const product = await createProduct({ plans: [{ keys }] });
  const planId = product.plans[0]!.id;
  const orderId = await sale.sell(buyer, planId, quantity);
  const soldKeys = await db.execute<{ id: string; slot: number }>(
    sql`select id, slot from keys where plan_id = ${planId} and state = 'assigned' order by slot`,
  );
  return { planId, orderId, slug: product.slug, ids: soldKeys.map(({ id }) => id) };
}
const listKeysMails = async () =>
  ((await findMailboxMails(buyer.email)) ?? []).filter(({ event }) => event === "keys");
const listEvents = async (keyId: string) =>
  (
    await db.execute<{ event: string }>(sql`select event from key_events where key_id = ${keyId} order by id`)
  ).map(({ event }) => event);

describe("requesting a replacement", () => {
  it("is allowed to the owner, once at a time, and shown in the library", async () => {
    const { ids } = await createSoldKeys();
    const [id] = ids as [string];
    expect(await getErrorName(requestForKey(id, await sale.createBuyer()))).toBe("key_unknown");
    expect(await getErrorName(requestForKey("key_missing"))).toBe("key_unknown");
    const outcomes = await Promise.all([1, 2, 3].map(() => getErrorName(requestForKey(id))));
    expect(outcomes.sort()).toEqual([null, "replacement_asked", "replacement_asked"]);
    const item = (await listLibrary(buyer.viewer, "en")).items.find((item) => item.library_id === id);
    expect(item!.replacement).toMatchObject({ state: "asked", decided_at: null });
    await refuseReplacement(await findOpenRequest(id), "staff:x", "It works.");
    expect(await getErrorName(requestForKey(id))).toBeNull(); // a rejected request may be repeated
    await refuseReplacement(await findOpenRequest(id), "staff:x", "Still.");
  });
});

describe("approving a replacement", () => {
  it("revokes the old code, assigns a new one and mails only the new one", async () => {
    const { ids, planId, orderId } = await createSoldKeys();
    const [, oldKey] = ids as [string, string];
    await requestForKey(oldKey);
    const before = (await listKeysMails()).length;
    const request = await findOpenRequest(oldKey);
    const decided = await Promise.all(
      Array.from({ length: 4 }, () => approveReplacement(request, "staff:x")),
    );
    expect(decided.filter((decision) => decision?.outcome === "decided")).toHaveLength(1);
    await sale.runQueue();
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 2, revoked: 1 });
    const [newKey] = await db.execute<{ id: string; slot: number }>(sql`
      select k.id, k.slot from keys k join replacement_requests r on r.new_key_id = k.id where r.key_id = ${oldKey}`);
    expect(newKey!.slot).toBe(2);
    const { code } = await revealKey(buyer.viewer, { library_id: newKey!.id });
    const mails = await listKeysMails();
    expect(mails).toHaveLength(before + 1);
    expect(mails[0]!.text.match(/TEST-[0-9A-F-]+/g)).toEqual([code]);
    const replaced = mails.map(({ text }) =>
      text.includes("replaces your earlier one, which no longer works"),
    );
    expect(replaced).toEqual([true, ...mails.slice(1).map(() => false)]);
    expect(await getErrorName(revealKey(buyer.viewer, { library_id: oldKey }))).toBe("key_unknown");
    expect((await listEvents(oldKey)).at(-1)).toBe("revoked");
    expect(await listEvents(newKey!.id)).toEqual(["imported", "reserved", "assigned", "mailed", "revealed"]);
    const orderItems = (await listLibrary(buyer.viewer, "en")).items.filter(
      (item) => item.order_id === orderId,
    );
    expect(orderItems.map(({ library_id }) => library_id).sort()).toEqual([ids[0], newKey!.id].sort());
    expect(orderItems.find(({ library_id }) => library_id === newKey!.id)!.replacement!.state).toBe(
      "approved",
    );
  });

  it("concurrent with a sale of the last key gives it to exactly one of them (10 rounds)", async () => {
    for (let round = 0; round < 10; round++) {
      const { ids, planId } = await createSoldKeys(1, 1);
      await requestForKey(ids[0]!);
      await createKeys(planId, 1);
      const otherBuyer = await sale.createBuyer();
      const [order, decided] = await Promise.all([
        getErrorName(sale.orderPlan(otherBuyer, planId)),
        approveReplacement(await findOpenRequest(ids[0]!), "staff:x"),
      ]);
      expect([order, decided!.outcome]).toEqual(
        order === null ? [null, "no_stock"] : ["sold_out", "decided"],
      );
    }
  });
});

it("a replacement requested by staff is not called the owner's request in the library or by email", async () => {
  const { ids, orderId } = await createSoldKeys(2, 1);
  const [keyId] = ids as [string];
  const { viewer } = await createStaff({ roles: ["support"] });
  await requestReplacementByStaff(viewer, { orderId, keyId, reason: "Ticket 4711." });
  const shown = async () =>
    (await listLibrary(buyer.viewer, "en")).items.find(({ library_id }) => library_id === keyId)!.replacement;
  expect(await shown()).toMatchObject({ state: "asked", asked_by_staff: true });
  const error = await requestForKey(keyId).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ error: "replacement_asked" });
  for (const locale of LOCALES)
    expect(errorMessage("replacement_asked", locale)).not.toMatch(/\b[Yy]ou\b|您/);
  await refuseReplacement(await findOpenRequest(keyId), "staff:x", "It works.");
  await sale.runQueue();
  expect(await shown()).toMatchObject({ state: "refused", asked_by_staff: true });
  const mails = (await findMailboxMails(buyer.email)) ?? [];
  const mail = mails.find(({ event }) => event === "replacement-refused")!;
  expect(mail.text).toContain("Our support team asked for another code for you.");
  expect(mail.text).not.toMatch(/You asked|4711/);
  const asked = await createSoldKeys(2, 1);
  await requestForKey(asked.ids[0]!);
  await refuseReplacement(await findOpenRequest(asked.ids[0]!), "staff:x", "It works.");
  await sale.runQueue();
  const [own] = ((await findMailboxMails(buyer.email)) ?? []).filter(
    ({ event }) => event === "replacement-refused",
  );
  expect(own!.text).toContain("You asked for another code.");
  expect(own!.text).toContain("It works.");
});
