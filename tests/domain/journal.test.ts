import { mkdir, rm, writeFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { journalKeys, reportJournal } from "@/lib/delivery/journal/journal-keys";
import { holdsCodesBack, readJournal } from "@/lib/delivery/journal/read-journal";
import { openKeysForEmail } from "@/lib/delivery/library/open-keys";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { claimGift } from "@/lib/orders/gifts/claim-gift";
import { saveGift } from "@/lib/orders/gifts/save-gift";
import { completeFreeOrder } from "@/lib/orders/payment/complete-free-order";
import { readCheckedJournal } from "@/lib/orders/restore/read-checked-journal";
import { readAppendLog } from "@/lib/platform/append-log";
import { unseal } from "@/lib/platform/crypto/vault";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

const folder = env().ASSIGNMENT_JOURNAL_DIR!;
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
});
beforeEach(() => rm(folder, { recursive: true, force: true }));
afterAll(sale.closeSale);

/** A file in place of the folder, so that the journal cannot be written. */
async function blockJournal() {
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, "no folder");
}
const unblockJournal = () => rm(folder, { force: true });

const listKeys = (planId: number) =>
  db.execute<{ id: string; state: string; sealed: Buffer; vaultKeyId: string }>(
    sql`select id, state, sealed, vault_key_id as "vaultKeyId" from keys where plan_id = ${planId} and state <> 'available' order by id`,
  );
const journaled = async () => (await readJournal()).entries.map(({ key, order }) => `${key} ${order}`).sort();
const listKeysMails = async () =>
  ((await findMailboxMails(buyer.email)) ?? []).filter(({ event }) => event === "keys");

describe("the assignment journal", () => {
  it("is reported at the start when its folder is not writable, or when production has none", async () => {
    const [error, warn] = [vi.spyOn(log, "error"), vi.spyOn(log, "warn")];
    await reportJournal();
    expect(error).not.toHaveBeenCalled();
    await blockJournal();
    await reportJournal();
    const says = (text: string) => [expect.anything(), expect.stringContaining(text)];
    expect(error).toHaveBeenLastCalledWith(...says("ASSIGNMENT_JOURNAL_DIR cannot be written"));
    await unblockJournal();
    const before = { ...env() };
    Object.assign(env(), { APP_MODE: "production", ASSIGNMENT_JOURNAL_DIR: undefined });
    await reportJournal();
    Object.assign(env(), before);
    expect(warn).toHaveBeenLastCalledWith(...says("no journal of assignments"));
    error.mockRestore();
    warn.mockRestore();
  });

  it("records each key with its order and time before its email is sent, and contains no code", async () => {
    const { id: planId } = await createSinglePlan({ keys: 3 });
    const orderId = await sale.sell(buyer, planId, 2);
    const keys = await listKeys(planId);
    expect(await journaled()).toEqual(keys.map(({ id }) => `${id} ${orderId}`));
    const { entries } = await readJournal();
    for (const { at } of entries) expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);
    const text = JSON.stringify((await readAppendLog({ folder })).values);
    for (const key of keys) expect(text).not.toContain(unseal(key.id, key));
    expect(await db.execute(sql`select 1 from unjournaled_keys`)).toEqual([]);
  });

  it("is complete after quiet days, from whose files it is read, and incomplete without any file", async () => {
    const { id: planId } = await createSinglePlan({ keys: 1 });
    await sale.sell(buyer, planId);
    const today = await readCheckedJournal(new Date(), false);
    expect(today).toMatchObject({ whole: true, entries: 1, files: 1 });
    const inFiveDays = new Date(Date.now() + 5 * 24 * 3_600_000);
    expect(await readCheckedJournal(inFiveDays, false)).toMatchObject({ whole: true, entries: 0, files: 0 });
    await rm(folder, { recursive: true });
    await mkdir(folder);
    expect(await readCheckedJournal(inFiveDays, false)).toMatchObject({
      whole: false,
      problems: ["the journal has no line"],
    });
  });

  it("records a replacement too", async () => {
    const { id: planId } = await createSinglePlan({ keys: 3 });
    const orderId = await sale.sell(buyer, planId);
    const [key] = await listKeys(planId);
    await requestReplacement(buyer.viewer, { library_id: key!.id, reason: "already used" });
    const [request] = await db.execute<{ id: string }>(
      sql`select id from replacement_requests where key_id = ${key!.id}`,
    );
    const result = await approveReplacement(request!.id, "staff:test");
    await sale.runQueue();
    expect(result).toMatchObject({ outcome: "decided" });
    const newKeyId = (result as { newKeyId: string }).newKeyId;
    expect(await journaled()).toEqual([`${key!.id} ${orderId}`, `${newKeyId} ${orderId}`].sort());
    expect((await listKeysMails()).length).toBeGreaterThan(0);
  });

  it("records a free pass too", async () => {
    const { id: planId } = await createSinglePlan({ keys: 2, priceCents: 0 });
    const orderId = await sale.orderPlan(buyer, planId);
    await completeFreeOrder(buyer.viewer, { order_id: orderId, immediate_delivery: true });
    await sale.runQueue();
    const [key] = await listKeys(planId);
    expect(await journaled()).toEqual([`${key!.id} ${orderId}`]);
    expect((await listKeysMails())[0]?.text).toContain(unseal(key!.id, key!));
  });

  it("records a gift once with its order, and its claim changes nothing", async () => {
    const recipient = await sale.createBuyer();
    const { id: planId } = await createSinglePlan({ type: "month", keys: 2 });
    const orderId = await sale.orderPlan(buyer, planId);
    await saveGift(buyer.viewer, { order_id: orderId, recipient_email: recipient.email }, "en", "UTC");
    await sale.pay(buyer, orderId);
    await sale.processEvents();
    const [key] = await listKeys(planId);
    expect(await journaled()).toEqual([`${key!.id} ${orderId}`]);
    const [mail] = (await findMailboxMails(recipient.email))!.filter(({ event }) => event === "gift");
    await claimGift(recipient.viewer, { token: /\/gift\/([\w-]+)/.exec(mail!.text)![1]! });
    expect((await revealKey(recipient.viewer, { library_id: key!.id })).code).toBe(unseal(key!.id, key!));
    expect(await journaled()).toEqual([`${key!.id} ${orderId}`]);
  });

  it("holds emails and codes back while it cannot be written, reports it, and delivers once it can", async () => {
    await blockJournal();
    const before = (await listKeysMails()).length;
    const { id: planId } = await createSinglePlan({ keys: 2 });
    await expect(sale.sell(buyer, planId)).rejects.toThrow(/the job .* failed/);
    const [key] = await listKeys(planId);
    expect(key?.state).toBe("assigned");
    expect((await listKeysMails()).length).toBe(before);
    expect(await getErrorName(revealKey(buyer.viewer, { library_id: key!.id }))).toBe("code_held_back");
    const [order] = await db.execute<{ id: string }>(sql`
      select l.order_id as id from keys k join order_lines l on l.id = k.order_line_id where k.id = ${key!.id}`);
    await expect(openKeysForEmail(db, order!.id, [key!.id])).rejects.toThrow("does not stand in the journal");
    expect(await getErrorName(revealKey((await sale.createBuyer()).viewer, { library_id: key!.id }))).toBe(
      "key_unknown",
    );
    await expect(journalKeys()).rejects.toThrow();
    expect(await holdsCodesBack()).toBe(false);
    await db.execute(sql`update unjournaled_keys set created_at = created_at - interval '2 minutes'`);
    expect(await holdsCodesBack()).toBe(true);

    await unblockJournal();
    expect((await revealKey(buyer.viewer, { library_id: key!.id })).code).toBe(unseal(key!.id, key!));
    expect(await holdsCodesBack()).toBe(false);
    await db.execute(
      sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`,
    );
    await sale.runQueue();
    expect((await listKeysMails()).length).toBe(before + 1);
    expect(await journaled()).toHaveLength(1);
  });

  it("may repeat an entry that possibly was not written, which changes nothing", async () => {
    const { id: planId } = await createSinglePlan({ keys: 1 });
    const orderId = await sale.sell(buyer, planId);
    const [key] = await listKeys(planId);
    // As after a crash between the line and the deletion of its row.
    await db.execute(sql`insert into unjournaled_keys (key_id, order_id) values (${key!.id}, ${orderId})`);
    expect(await journalKeys({ keyIds: [key!.id] })).toBe(1);
    expect(await journalKeys({ keyIds: [key!.id] })).toBe(0);
    expect(new Set(await journaled())).toEqual(new Set([`${key!.id} ${orderId}`]));
  });
});
