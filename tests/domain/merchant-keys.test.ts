import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { createKeyBatch, createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import { type CustodyProblem, verifyCustody } from "@/lib/delivery/custody/verify-custody";
import { importKeys } from "@/lib/delivery/import/import-keys";
import { restockKeys } from "@/lib/delivery/restock-keys";
import { allowKeys } from "@/lib/merchants/console/allow-keys";
import { getConsoleMerchant } from "@/lib/merchants/console/get-console-merchant";
import { listConsoleMerchants } from "@/lib/merchants/console/list-console-merchants";
import type { KeyBatch } from "@/lib/merchants/key-files/contract";
import { findStockLowMail } from "@/lib/merchants/key-files/find-stock-low-mail";
import {
  findWithdrawalMail,
  getConsoleBatch,
  getKeyBatch,
  refusedKeysCsv,
} from "@/lib/merchants/key-files/get-key-batch";
import { importKeyFile, importKeysOfPlan } from "@/lib/merchants/key-files/import-key-file";
import { listConsoleBatches, listKeyBatches } from "@/lib/merchants/key-files/list-key-batches";
import { listMerchantStock } from "@/lib/merchants/key-files/list-merchant-stock";
import { notifyLowStock } from "@/lib/merchants/key-files/notify-low-stock";
import { previewKeyFile, previewKeyList } from "@/lib/merchants/key-files/preview-key-file";
import { setStockAlert } from "@/lib/merchants/key-files/set-stock-alert";
import { undoBatchWithdrawal, withdrawBatch } from "@/lib/merchants/key-files/withdraw-batch";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { placeOrder } from "@/lib/orders/placing/place-order";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { refusedLines } from "@/lib/platform/imports/rules";
import { log } from "@/lib/platform/log";
import { getToday } from "@/lib/staff/today/get-today";
import { rounds } from "@/tests/setup/rounds";

const folder = mkdtempSync(join(tmpdir(), "merchant-keys-"));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await closeDatabase();
});

async function* bytes(text: string, chunk = 40_000): AsyncGenerator<Buffer> {
  const buffer = Buffer.from(text);
  for (let at = 0; at < buffer.length; at += chunk) yield buffer.subarray(at, at + chunk);
}
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const HEADER = "product,plan,key,redeem_by\n";
/** The lines of a long file, 37 of which are faulty. */
const LINES = rounds(10_000, 2_000);
const VALID = LINES - 37;
const CONTEXT = { locale: "en", onStock: enqueueAssignWaiting } as const;
const STATEMENT = "Made by our licence server.";

async function createShop(): Promise<{ seller: Seller; viewer: MerchantViewer; product: CreatedProduct }> {
  const merchant = await createMerchant();
  const seller = await createSeller(merchant);
  const product = await createProduct({ merchantId: merchant.id, plans: [{ type: "day" }] });
  return { seller, viewer: seller.member, product };
}

/** A file of codes with one fault per line. */
function keyFile(product: CreatedProduct, prefix: string, lines: number, faults = new Set<number>()): string {
  const line = (number: number) =>
    `${product.slug},${faults.has(number) ? "fortnight" : "day"},${prefix}-${number},`;
  return HEADER + Array.from({ length: lines }, (_, i) => line(i + 2)).join("\n");
}

const importText = (viewer: MerchantViewer, text: string, origin = {}) =>
  importKeyFile(
    viewer,
    bytes(text),
    { sha256: hashOf(text), name: "keys.csv", source: "issued", statement: STATEMENT, ...origin },
    CONTEXT,
  );

async function ended(viewer: MerchantViewer, id: string): Promise<KeyBatch> {
  for (;;) {
    const batch = await getKeyBatch(viewer, id, "en");
    if (batch.state !== "running") return batch;
    await wait(50);
  }
}

async function countKeys({ plans }: CreatedProduct): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from keys where plan_id = ${plans[0]!.id}`,
  );
  return row!.n;
}

/** All text in the tables of imports, audit, custody and calls. */
async function textOfTables(): Promise<string> {
  const rows = await db.execute<{ text: string }>(sql`
    select b::text as text from key_batches b union all select a::text from audit_entries a
    union all select e::text from key_events e union all select i::text from idempotency_keys i
    union all select m::text from mails m`);
  return rows.map(({ text }) => text).join("\n");
}

describe("a file of a merchant's codes", () => {
  it("is sealed into the custody chain of its codes together with its origin statement", async () => {
    const { viewer, product } = await createShop();
    const { batch_id: id } = await importText(viewer, keyFile(product, "SEALED-CODE", 3));
    await ended(viewer, id);
    await sealCustody({ all: true });
    const problemsOfBatch = async () => {
      const keys = await db.execute<{ id: string }>(sql`select id from keys where batch_id = ${id}`);
      const found: CustodyProblem[] = [];
      await verifyCustody((problem) => found.push(problem));
      return found.filter(({ keyId }) => keys.some((key) => key.id === keyId)).map(({ kind }) => kind);
    };
    expect(await problemsOfBatch()).toEqual([]);
    await db.execute(sql`update key_batches set statement = 'Bought somewhere.' where id = ${id}`);
    expect(await problemsOfBatch()).toEqual(["hash", "hash", "hash"]);
    await db.execute(sql`update key_batches set statement = ${STATEMENT} where id = ${id}`);
  });

  it("of many lines with 37 faults is refused on those lines by number, and the other codes are stored once", async () => {
    const { viewer, product } = await createShop();
    const faults = new Set(Array.from({ length: 37 }, (_, i) => 3 + i * Math.floor(LINES / 38)));
    const text = keyFile(product, "SECRETCODE", LINES, faults);
    const logged: string[] = [];
    for (const level of ["info", "warn", "error"] as const)
      vi.spyOn(log, level).mockImplementation((...args: unknown[]) => {
        logged.push(JSON.stringify(args));
      });
    let start = Date.now();
    const preview = await previewKeyFile(viewer, bytes(text), "en");
    const previewMs = Date.now() - start;
    expect(preview).toMatchObject({
      sha256: hashOf(text),
      lines: LINES + 1,
      counts: { new: VALID, known: 0, refused: 37 },
      batch_id: null,
    });
    expect(preview.refused.map(({ line }) => line)).toEqual([...faults]);
    expect(await countKeys(product)).toBe(0);

    start = Date.now();
    const started = await importText(viewer, text);
    expect(started).toMatchObject({ started: true, source: "issued", statement: STATEMENT });
    const batch = await ended(viewer, started.batch_id);
    console.info(`${LINES} lines: preview ${previewMs} ms, import ${Date.now() - start} ms`);
    const counts = { new: VALID, known: 0, refused: 37 };
    expect(batch).toMatchObject({ state: "done", counts, available: VALID, sold: 0, replaced_share: null });
    expect(batch.refused.map(({ line }) => line)).toEqual([...faults]);
    expect(await countKeys(product)).toBe(VALID);

    const [before] = await db.execute(sql`select b::text from key_batches b where id = ${batch.batch_id}`);
    expect(await importText(viewer, text, { statement: "Another one." })).toMatchObject({
      batch_id: batch.batch_id,
      started: false,
      statement: STATEMENT,
    });
    const [after] = await db.execute(sql`select b::text from key_batches b where id = ${batch.batch_id}`);
    expect(after).toEqual(before);
    expect(await countKeys(product)).toBe(VALID);
    const again = await previewKeyFile(viewer, bytes(text), "en");
    expect(again).toMatchObject({ counts: { new: 0, known: VALID, refused: 37 }, batch_id: batch.batch_id });

    const csv = await refusedKeysCsv(viewer, batch.batch_id, "zh");
    expect(csv.trim().split("\r\n")).toHaveLength(38);
    expect(csv).toContain("key_plan");
    expect(refusedLines(text, batch.refused, { hasHeader: true }).split("\n")).toHaveLength(39);
    const list = await listKeyBatches(viewer, { cursor: undefined });
    const staffView = await getConsoleBatch(batch.batch_id, "ja");
    const answers = JSON.stringify([preview, started, batch, again, list, staffView]);
    expect([csv, answers, logged.join("\n"), await textOfTables()].join("\n")).not.toContain("SECRETCODE");
    const audited = await db.execute<{ action: string; actor: string }>(
      sql`select action, actor from audit_entries where subject = ${batch.batch_id} order by id`,
    );
    expect(audited).toEqual(
      ["key_batch.started", "key_batch.done"].map((action) => ({ action, actor: viewer.actor })),
    );
    vi.restoreAllMocks();
  });

  it("ends with the same result when its process is killed and the file is sent again", async () => {
    const { viewer, product } = await createShop();
    const text = keyFile(product, "KILLED-CODE", 12_000, new Set([9, 9_000]));
    const file = join(folder, "killed.csv");
    writeFileSync(file, text);
    const process_ = spawn(
      process.execPath,
      [
        "--import",
        "tsx",
        "tests/setup/merchant-import-process.ts",
        file,
        hashOf(text),
        JSON.stringify(viewer),
      ],
      { stdio: "ignore", env: process.env },
    );
    const closed = new Promise((resolve) => process_.once("close", resolve));
    await expect.poll(() => countKeys(product), { timeout: 50_000, interval: 20 }).toBeGreaterThan(0);
    process_.kill("SIGKILL");
    await closed;
    expect(await countKeys(product)).toBeLessThan(11_998);
    const [left] = (await listKeyBatches(viewer, { cursor: undefined })).items;
    expect(left).toMatchObject({ state: "running", name: "keys.csv" });

    const joined = await importText(viewer, text);
    expect(joined).toMatchObject({ batch_id: left!.batch_id, started: false });
    await expect(withdrawBatch(viewer, left!.batch_id, { preview: false })).rejects.toMatchObject({
      error: "key_batch_runs",
    });
    await db.execute(
      sql`update key_batches set heartbeat_at = shop_now() - interval '31 seconds' where id = ${left!.batch_id}`,
    );
    expect(await getKeyBatch(viewer, left!.batch_id, "en")).toMatchObject({ state: "broken" });
    expect(await importText(viewer, text)).toMatchObject({ batch_id: left!.batch_id, started: true });
    const batch = await ended(viewer, left!.batch_id);
    expect(batch).toMatchObject({ state: "done", counts: { new: 11_998, known: 0, refused: 2 } });
    expect(batch.refused.map(({ line }) => line)).toEqual([9, 9_000]);
    expect(await countKeys(product)).toBe(11_998);
  });

  it("does not block another import while it is previewed", async () => {
    const { viewer, product } = await createShop();
    const text = keyFile(product, "RIVAL-CODE", 1_500);
    let goOn = () => {};
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    async function* slow() {
      yield Buffer.from(text.slice(0, text.length / 2));
      await paused;
      yield Buffer.from(text.slice(text.length / 2));
    }
    const preview = previewKeyFile(viewer, slow(), "en");
    await wait(200);
    const rival = await importKeys(bytes(text), { onStock: async () => {} });
    expect(rival).toMatchObject({ added: 1_500, refused: 0 });
    goOn();
    const { counts } = await preview;
    expect(counts.new + counts.known).toBe(1_500);
  });

  it("names plans by id too, and knows no plan of another merchant", async () => {
    const { viewer, product } = await createShop();
    const other = await createShop();
    const [own, foreign] = [product.plans[0]!.id, other.product.plans[0]!.id];
    const text = `plan_id,key\n${own},BYID-0001\n${foreign},BYID-0002\n2000000000,BYID-0003\nx,BYID-0004\n`;
    const { refused, counts } = await previewKeyFile(viewer, bytes(text), "en");
    expect(counts).toEqual({ new: 1, known: 0, refused: 3 });
    const line = { reason: "key_plan_missing", message: "There is no such plan." };
    expect(refused).toMatchObject([
      { line: 3, ...line },
      { line: 4, ...line },
      { line: 5, reason: "key_plan_id" },
    ]);
    const bySlug = `${HEADER}${other.product.slug},day,BYSLUG-1,\nno-such-product,day,BYSLUG-2,\n`;
    const names = (await previewKeyFile(viewer, bytes(bySlug), "en")).refused.map(({ reason }) => reason);
    expect(names).toEqual(["key_product", "key_product"]);
    for (const planId of [foreign, 2_000_000_000]) {
      const { counts, refused } = await previewKeyList(
        viewer,
        { plan_id: planId, keys: ["LIST-0001"] },
        "en",
      );
      expect({ counts, refused }).toEqual({
        counts: { new: 0, known: 0, refused: 1 },
        refused: [{ line: 1, ...line }],
      });
    }
    await expect(getKeyBatch(viewer, "kb_none", "en")).rejects.toMatchObject({ error: "key_batch_unknown" });
  });

  it("may be a list sent by a program, whose codes are named by position", async () => {
    const { viewer, product } = await createShop();
    const list = {
      plan_id: product.plans[0]!.id,
      keys: ["LIST-AAAA-1", "x", "list-aaaa-1", 'LIST,"BBBB"-2'],
    };
    const input = { ...list, source: "licensed", statement: "From the vendor." } as const;
    expect((await previewKeyList(viewer, list, "en")).counts).toEqual({ new: 2, known: 0, refused: 2 });
    const batch = await importKeysOfPlan(viewer, input, CONTEXT);
    expect(batch).toMatchObject({
      state: "done",
      name: "API",
      source: "licensed",
      available: 2,
      started: true,
    });
    expect(batch.refused.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "key_length"],
      [3, "key_repeated"],
    ]);
    const again = await importKeysOfPlan(viewer, input, CONTEXT);
    expect(again).toEqual({ ...batch, started: false });
  });

  it("holds codes that a spreadsheet may have changed until the merchant confirms them, in the same batch", async () => {
    const { viewer, product } = await createShop();
    const codes = ["1.23457E+15", "2029-03-05", "219E01BE"];
    const text = `${HEADER}${codes.map((code) => `${product.slug},day,${code},`).join("\n")}`;
    const first = await previewKeyFile(viewer, bytes(text), "en");
    expect(first).toMatchObject({ counts: { new: 1, known: 0, refused: 2 }, held: 1 });
    expect(first.refused.map(({ reason }) => reason)).toEqual(["code_spreadsheet", "code_held"]);
    const { batch_id: id } = await importText(viewer, text);
    expect((await ended(viewer, id)).counts).toEqual({ new: 1, known: 0, refused: 2 });
    expect(await importText(viewer, text)).toMatchObject({ batch_id: id, started: false });

    const confirmed = await previewKeyFile(viewer, bytes(text), "en", { confirm_held: true });
    expect(confirmed).toMatchObject({ counts: { new: 1, known: 1, refused: 1 }, held: 0, batch_id: id });
    expect(await importText(viewer, text, { confirm_held: true })).toMatchObject({
      batch_id: id,
      started: true,
    });
    expect((await ended(viewer, id)).counts).toEqual({ new: 2, known: 0, refused: 1 });
    expect(await countKeys(product)).toBe(2);

    const list = { plan_id: product.plans[0]!.id, keys: ["2029-04-05", "#NAME?"] };
    expect(await previewKeyList(viewer, list, "en")).toMatchObject({ counts: { new: 0 }, held: 1 });
    const input = { ...list, source: "issued", confirm_held: true } as const;
    expect(await importKeysOfPlan(viewer, input, CONTEXT)).toMatchObject({ counts: { new: 1, refused: 1 } });
  });

  it("is refused when it differs from the previewed file, or when its statement contains a code", async () => {
    const { viewer, product } = await createShop();
    const text = keyFile(product, "QUOTED-CODE", 20);
    await expect(importText(viewer, text, { sha256: hashOf("other") })).rejects.toMatchObject({
      error: "import_file_differs",
    });
    for (const origin of [{ statement: "Like quoted-code-5, from us" }, { name: "QUOTED-CODE-7.csv" }])
      await expect(importText(viewer, text, origin)).rejects.toMatchObject({ error: "statement_has_code" });
    expect(await countKeys(product)).toBe(0);
    expect((await listKeyBatches(viewer, { cursor: undefined })).items).toEqual([]);
  });
});

describe("a code of another merchant", () => {
  it("counts as new in previews, is refused without a reason at import, and suspends the merchant's imports after a few", async () => {
    const { viewer, product } = await createShop();
    const rival = await createShop();
    await importKeysOfPlan(
      rival.viewer,
      {
        plan_id: rival.product.plans[0]!.id,
        keys: Array.from({ length: 8 }, (_, i) => `THEIRS-${product.id}-CODE-${i}`),
        source: "issued",
      },
      CONTEXT,
    );
    const planId = product.plans[0]!.id;
    const listOf = (prefix: string, count: number) => ({
      plan_id: planId,
      keys: Array.from({ length: count }, (_, i) => `${prefix}-${product.id}-CODE-${i}`),
    });
    const all = { ...listOf("THEIRS", 8), keys: [...listOf("OWN", 2).keys, ...listOf("THEIRS", 8).keys] };
    expect((await previewKeyList(viewer, all, "en")).counts).toEqual({ new: 10, known: 0, refused: 0 });
    const quoting = { source: "issued", statement: `Unlike THEIRS-${product.id}-CODE-7.` } as const;
    const first = await importKeysOfPlan(
      viewer,
      { ...listOf("THEIRS", 1), keys: [...listOf("OWN", 2).keys, ...listOf("THEIRS", 1).keys], ...quoting },
      CONTEXT,
    );
    expect(first).toMatchObject({ counts: { new: 2, refused: 1 } });
    expect(first.refused).toMatchObject([{ line: 3, reason: "key_not_accepted" }]);
    const second = await importKeysOfPlan(viewer, { ...all, source: "issued" }, CONTEXT);
    expect(second.refused.map(({ reason }) => reason)).toEqual([
      ...Array(4).fill("key_not_accepted"),
      ...Array(4).fill("keys_stopped"),
    ]);
    const more = { ...listOf("MORE", 1), source: "issued" } as const;
    await expect(importKeysOfPlan(viewer, more, CONTEXT)).rejects.toMatchObject({ error: "keys_stopped" });
    const admin = await createStaff({ roles: ["admin"] });
    const { queues } = await getToday(admin.viewer, { days: 30 });
    expect(queues.find(({ queue }) => queue === "stopped_merchants")!.count).toBeGreaterThan(0);
    const { items } = await listConsoleMerchants({ keys_stopped: true, cursor: undefined });
    expect(items.map(({ merchant_id }) => merchant_id)).toContain(viewer.merchant.id);
    const { keys_version: version } = await getConsoleMerchant(viewer.merchant.id);
    await allowKeys(admin.viewer, viewer.merchant.id, { version });
    expect((await importKeysOfPlan(viewer, more, CONTEXT)).counts.new).toBe(1);
  });
});

describe("a withdrawal of a batch", () => {
  it("withdraws the unsold codes under 50 parallel orders, and no code that one of them holds", async () => {
    const { viewer, product } = await createShop();
    const planId = product.plans[0]!.id;
    const { id } = await createKeyBatch(viewer.merchant, planId, 120);
    const buyers = await Promise.all(Array.from({ length: 50 }, () => createSignedInUser()));
    expect(await withdrawBatch(viewer, id, { preview: true })).toEqual({
      batch_id: id,
      preview: true,
      withdrawn: 120,
      reserved: 0,
      undo_until: null,
    });
    const orders = buyers.map(({ viewer: buyer }, i) =>
      wait(i % 10).then(() => placeOrder(buyer, { vip_id: planId }, "en")),
    );
    await Promise.race(orders);
    const withdrawal = withdrawBatch(viewer, id, { preview: false });
    const results = await Promise.allSettled(orders);
    const { withdrawn } = await withdrawal;
    const placed = results.filter(({ status }) => status === "fulfilled").length;
    const keys = await db.execute<{ state: string; bound: boolean; n: number }>(sql`
      select state, order_line_id is not null as bound, count(*)::int as n from keys where batch_id = ${id} group by 1, 2 order by 1`);
    expect(placed).toBeGreaterThan(0);
    expect(keys).toEqual([
      { state: "reserved", bound: true, n: placed },
      { state: "revoked", bound: false, n: withdrawn },
    ]);
    expect(placed + withdrawn).toBe(120);
    expect(await getKeyBatch(viewer, id, "en")).toMatchObject({ available: 0, reserved: placed, withdrawn });
    const [events] = await db.execute<{ n: number }>(sql`
      select count(*)::int as n from key_events e join keys k on k.id = e.key_id
      where k.batch_id = ${id} and e.event = 'revoked' and e.actor = ${viewer.actor}`);
    expect(events!.n).toBe(withdrawn);
    const problems: string[] = [];
    await verifyCustody(({ kind }) => problems.push(kind));
    expect(problems.filter((kind) => kind === "illegal_order" || kind === "state_differs")).toEqual([]);
    expect(await withdrawBatch(viewer, id, { preview: false })).toMatchObject({ withdrawn: 0 });
  });

  it("is made by staff too, who see the batches of all merchants", async () => {
    const { viewer, product } = await createShop();
    const { id } = await createKeyBatch(viewer.merchant, product.plans[0]!.id, 3);
    const staff = (await createStaff({ roles: ["catalogue"] })).viewer;
    const { handle } = viewer.merchant;
    const list = await listConsoleBatches({ cursor: undefined, merchant: handle });
    expect(list.items).toMatchObject([{ batch_id: id, handle, available: 3 }]);
    expect(
      (await listConsoleBatches({ cursor: undefined, merchant: handle, state: "failed" })).items,
    ).toEqual([]);
    expect((await listConsoleBatches({ cursor: undefined, merchant: "no-one" })).items).toEqual([]);
    expect(await withdrawBatch(staff, id, { preview: false })).toMatchObject({ withdrawn: 3 });
    const other = await createShop();
    await expect(withdrawBatch(other.viewer, id, { preview: true })).rejects.toMatchObject({
      error: "key_batch_unknown",
    });
    const [entry] = await db.execute(
      sql`select actor, action, detail from audit_entries where subject = ${id}`,
    );
    expect(entry).toEqual({ actor: staff.userId, action: "key_batch.withdrawn", detail: { withdrawn: 3 } });
  });
});

describe("undoing a withdrawal", () => {
  const undo = (viewer: MerchantViewer, id: string) => undoBatchWithdrawal(viewer, id, enqueueAssignWaiting);
  const statesOf = (id: string) =>
    db.execute<{ state: string; n: number }>(
      sql`select state, count(*)::int as n from keys where batch_id = ${id} group by 1 order by 1`,
    );
  const moveClock = (shift: string) => db.execute(sql`update shop_clock set shift = ${shift}::interval`);
  afterEach(() => moveClock("0"));

  it("puts the codes back on sale once within a day, except those that were sold or replaced", async () => {
    const { seller, viewer, product } = await createShop();
    const planId = product.plans[0]!.id;
    const { id } = await createKeyBatch(viewer.merchant, planId, 7);
    const [buyer, second] = [await createSignedInUser(), await createSignedInUser()];
    await placeOrder(buyer.viewer, { vip_id: planId }, "en");
    const { order_id: replaced } = await placeOrder(second.viewer, { vip_id: planId }, "en");
    for (const state of ["assigned", "revoked"])
      await db.execute(sql`
        update keys set state = ${state}, assigned_at = shop_now() where order_line_id in (
          select l.id from order_lines l where l.order_id = ${replaced})`);
    const done = await withdrawBatch(viewer, id, { preview: false });
    expect(done).toMatchObject({ withdrawn: 5, reserved: 1, undo_until: expect.any(String) });
    const left = (new Date(done.undo_until!).getTime() - Date.now()) / 3_600_000;
    expect(left).toBeGreaterThan(23.9);
    expect(left).toBeLessThanOrEqual(24);
    const batch = await getKeyBatch(viewer, id, "en");
    expect(batch).toMatchObject({ withdrawn: 5, undo_until: done.undo_until });
    const [mail, ...more] = await db.execute<{ refs: Record<string, unknown>; locale: string }>(
      sql`select refs, locale from mails where to_address = ${seller.email} and event = 'codes-withdrawn'`,
    );
    expect([mail!.refs, more]).toEqual([{ batchId: id, actor: viewer.actor, withdrawn: 5 }, []]);
    expect(await findWithdrawalMail(id, viewer.actor, 5)).toMatchObject({
      by: seller.email,
      withdrawn: 5,
      undoUntil: new Date(done.undo_until!),
    });

    await moveClock("23 hours 50 minutes");
    const results = await Promise.allSettled([undo(viewer, id), undo(viewer, id)]);
    const restored = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(restored).toEqual([{ batch_id: id, restored: 5 }]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { error: "withdrawal_final" },
    });
    expect(await statesOf(id)).toEqual([
      { state: "available", n: 5 },
      { state: "reserved", n: 1 },
      { state: "revoked", n: 1 },
    ]);
    expect(await getKeyBatch(viewer, id, "en")).toMatchObject({ withdrawn: 0, undo_until: null });
    const entries = await db.execute(
      sql`select actor, action, detail from audit_entries where subject = ${id} order by id`,
    );
    expect(entries.at(-1)).toEqual({
      actor: viewer.actor,
      action: "key_batch.put_back",
      detail: { restored: 5 },
    });
    const problems: CustodyProblem[] = [];
    await verifyCustody((problem) => problems.push(problem));
    const isOfOrder = problems.filter(({ kind }) => kind === "illegal_order");
    expect(isOfOrder).toEqual([]);
    // They are withdrawn and put back like all others.
    expect(await withdrawBatch(viewer, id, { preview: false })).toMatchObject({ withdrawn: 5 });
    expect(await undo(viewer, id)).toEqual({ batch_id: id, restored: 5 });
  });

  it("is refused after a day, to other merchants, and when staff have withdrawn codes of the batch", async () => {
    const { viewer, product } = await createShop();
    const planId = product.plans[0]!.id;
    const { id } = await createKeyBatch(viewer.merchant, planId, 2);
    await expect(undo(viewer, id)).rejects.toMatchObject({ error: "withdrawal_final" });
    await withdrawBatch(viewer, id, { preview: false });
    const other = await createShop();
    await expect(undo(other.viewer, id)).rejects.toMatchObject({ error: "key_batch_unknown" });
    await moveClock("24 hours 1 minute");
    expect(await getKeyBatch(viewer, id, "en")).toMatchObject({ withdrawn: 2, undo_until: null });
    await expect(undo(viewer, id)).rejects.toMatchObject({ error: "withdrawal_final" });
    await moveClock("0");

    const unsafe = await createKeyBatch(viewer.merchant, planId, 3);
    const buyer = await createSignedInUser();
    const { order_id } = await placeOrder(buyer.viewer, { vip_id: planId }, "en");
    expect(await withdrawBatch(viewer, unsafe.id, { preview: false })).toMatchObject({ withdrawn: 2 });
    await cancelOrder(buyer.viewer, { order_id });
    const staff = (await createStaff()).viewer;
    // The merchant has withdrawn all of it, which the withdrawal by staff makes final.
    expect(await withdrawBatch(staff, unsafe.id, { preview: true })).toMatchObject({
      withdrawn: 0,
      undo_until: expect.any(String),
    });
    expect(await withdrawBatch(staff, unsafe.id, { preview: false })).toMatchObject({
      withdrawn: 0,
      undo_until: null,
    });
    expect(await withdrawBatch(staff, unsafe.id, { preview: false })).toMatchObject({ withdrawn: 0 });
    const notices = await db.execute<{ refs: object }>(sql`
      select refs from mails where event = 'codes-withdrawn' and refs->>'batchId' = ${unsafe.id} and refs->>'actor' = ''`);
    expect(notices.map(({ refs }) => refs)).toEqual([{ batchId: unsafe.id, actor: "", withdrawn: 3 }]);
    expect(await getKeyBatch(viewer, unsafe.id, "en")).toMatchObject({ withdrawn: 3, undo_until: null });
    await expect(undo(viewer, unsafe.id)).rejects.toMatchObject({ error: "withdrawal_by_shop" });
    expect(await statesOf(unsafe.id)).toEqual([{ state: "revoked", n: 3 }]);
    expect(await findWithdrawalMail(unsafe.id, "", 1)).toMatchObject({ by: null, undoUntil: null });
  });

  it("puts codes back too that orders let go of after the withdrawal or meanwhile", async () => {
    const { viewer, product } = await createShop();
    const planId = product.plans[0]!.id;
    const { id } = await createKeyBatch(viewer.merchant, planId, 30);
    const orders = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { viewer: buyer } = await createSignedInUser();
        const { order_id } = await placeOrder(buyer, { vip_id: planId }, "en");
        return { order_id, cancel: () => cancelOrder(buyer, { order_id }) };
      }),
    );
    const [delivered, late, ...meanwhile] = orders;
    await Promise.all([
      withdrawBatch(viewer, id, { preview: false }),
      ...meanwhile.map(({ cancel }) => cancel()),
    ]);
    expect(await statesOf(id)).toEqual([
      { state: "reserved", n: 2 },
      { state: "revoked", n: 28 },
    ]);
    await late!.cancel();
    const [kept] = await db.execute<{ id: string }>(sql`
      with delivered as (
        update keys set state = 'assigned', assigned_at = shop_now() where order_line_id in (
          select l.id from order_lines l where l.order_id = ${delivered!.order_id}) returning id, order_line_id
      ), events as (
        insert into key_events (key_id, event, order_line_id, actor) select id, 'assigned', order_line_id, 'shop' from delivered)
      select id from delivered`);
    const returner = { identity: "test", cardFingerprint: null, addressGroup: null };
    await transaction((tx) => restockKeys(tx, [kept!.id], returner, "shop"));
    expect(await statesOf(id)).toEqual([{ state: "revoked", n: 30 }]);
    expect(await undo(viewer, id)).toEqual({ batch_id: id, restored: 30 });
    const problems: CustodyProblem[] = [];
    await verifyCustody((problem) => problems.push(problem));
    expect(problems.filter(({ kind }) => kind === "illegal_order")).toEqual([]);
  });

  it("puts back the last code that an order held, and leaves those alone that were added later", async () => {
    const { viewer, product } = await createShop();
    const planId = product.plans[0]!.id;
    const { id } = await createKeyBatch(viewer.merchant, planId, 1);
    const place = async () => {
      const { viewer: buyer } = await createSignedInUser();
      const { order_id } = await placeOrder(buyer, { vip_id: planId }, "en");
      return () => cancelOrder(buyer, { order_id });
    };
    const cancel = await place();
    const done = await withdrawBatch(viewer, id, { preview: false });
    expect(done).toMatchObject({ withdrawn: 0, reserved: 1, undo_until: expect.any(String) });
    // An undo that comes too late ends nothing.
    await moveClock("24 hours 1 minute");
    await expect(undo(viewer, id)).rejects.toMatchObject({ error: "withdrawal_final" });
    await moveClock("0");
    await cancel();
    expect(await statesOf(id)).toEqual([{ state: "revoked", n: 1 }]);
    // A code that the merchant adds to the batch after its withdrawal is sold as any other.
    const later = await createKeyBatch(viewer.merchant, planId, 1);
    await db.execute(sql`
      update keys set batch_id = ${id}, created_at = shop_now() + interval '1 second' where batch_id = ${later.id}`);
    await (await place())();
    expect(await statesOf(id)).toEqual([
      { state: "available", n: 1 },
      { state: "revoked", n: 1 },
    ]);
    expect(await undo(viewer, id)).toEqual({ batch_id: id, restored: 1 });
  });

  it("never puts a code back that the database knows as sold or seen", async () => {
    const { viewer, product } = await createShop();
    const { id } = await createKeyBatch(viewer.merchant, product.plans[0]!.id, 1);
    await withdrawBatch(viewer, id, { preview: false });
    await db.execute(sql`
      insert into key_events (key_id, event, actor) select id, 'mailed', 'shop' from keys where batch_id = ${id}`);
    await expect(undo(viewer, id)).rejects.toMatchObject({ error: "withdrawal_final" });
    const sale = db.execute(sql`update keys set state = 'available' where batch_id = ${id}`);
    await expect(sale).rejects.toMatchObject({ cause: { constraint_name: "keys_unseen" } });
  });
});

describe("a merchant's stock", () => {
  const sell = (planId: number, units: number) =>
    db.execute(sql`insert into plan_sales_daily (plan_id, day, units)
      select ${planId}, (shop_now() at time zone 'UTC')::date - n, ${units / 28}::int from generate_series(1, 28) n`);
  const mailsTo = (email: string) =>
    db.execute<{ refs: { planIds: string }; locale: string }>(
      sql`select refs, locale from mails where to_address = ${email} and event = 'stock-low' order by created_at`,
    );

  it("shows the cover of each of the merchant's plans and what to add", async () => {
    const { seller, viewer } = await createShop();
    const other = await createShop();
    for (const product_id of [other.product.id, 2_000_000_000])
      expect(await listMerchantStock(viewer, { cursor: undefined, product_id }, "en")).toMatchObject({
        items: [],
        total: 0,
      });
    const merchantId = seller.merchant.id;
    const { plans } = await createProduct({ merchantId, plans: [{ keys: 7 }, { type: "month" }] });
    await sell(plans[0]!.id, 28);
    const waiting = await createSignedInUser();
    await db.execute(sql`insert into wait_list (id, user_id, plan_id, email, locale)
      values (${`wl_${waiting.id}`}, ${waiting.id}, ${plans[1]!.id}, ${waiting.email}, 'en')`);
    const { items } = await listMerchantStock(viewer, { cursor: undefined }, "en");
    expect(items).toHaveLength(3);
    const week = items.find(({ plan_id }) => plan_id === plans[0]!.id);
    const alert = { kind: "days", value: 7 };
    expect(week).toMatchObject({
      available: 7,
      sold_28_days: 27,
      days_of_cover: 7,
      suggested: 7,
      alert,
      low: false,
    });
    const month = items.find(({ plan_id }) => plan_id === plans[1]!.id);
    expect(month).toMatchObject({ available: 0, waiting: 1, days_of_cover: null, suggested: 1, low: true });
    const short = await listMerchantStock(viewer, { cursor: undefined, waiting: true }, "en");
    expect(short.items.map(({ plan_id }) => plan_id)).toEqual([plans[1]!.id]);
  });

  it("notifies each owner once in the owner's language, and again after the plan was restocked", async () => {
    const { seller, viewer, product } = await createShop();
    const member = await createSeller(seller.merchant, { role: "member" });
    await db.execute(sql`update users set locale = 'ja' where id = ${seller.id}`);
    const planId = product.plans[0]!.id;
    await sell(planId, 56);
    const first = await createKeyBatch(seller.merchant, planId, 13);
    await notifyLowStock();
    await notifyLowStock();
    expect(await mailsTo(seller.email)).toEqual([
      { refs: { merchantId: seller.merchant.id, planIds: String(planId) }, locale: "ja" },
    ]);
    expect(await mailsTo(member.email)).toEqual([]);
    const mail = await findStockLowMail(seller.merchant.id, [planId], "en");
    expect(mail).toMatchObject({ handle: seller.merchant.handle, plans: [{ available: 13, days: 6 }] });

    await createKeyBatch(seller.merchant, planId, 1);
    await notifyLowStock();
    expect(await findStockLowMail(seller.merchant.id, [planId], "en")).toBeNull();
    await withdrawBatch(viewer, first.id, { preview: false });
    await notifyLowStock();
    expect(await mailsTo(seller.email)).toHaveLength(2);
  });

  it("warns at the number of codes that the merchant sets, or never", async () => {
    const { seller, viewer, product } = await createShop();
    const planId = product.plans[0]!.id;
    await createKeyBatch(seller.merchant, planId, 4);
    await setStockAlert(viewer, planId, { kind: "codes", value: 5 });
    await notifyLowStock();
    expect(await mailsTo(seller.email)).toHaveLength(1);
    await setStockAlert(viewer, planId, { kind: "off", value: 0 });
    await notifyLowStock();
    expect(await mailsTo(seller.email)).toHaveLength(1);
    const other = await createShop();
    for (const [one, plan] of [
      [other.viewer, planId],
      [viewer, 2_000_000_000],
    ] as const)
      await expect(setStockAlert(one, plan, { kind: "off", value: 0 })).rejects.toMatchObject({
        error: "plan_unknown",
      });
    const audited = await db.execute(
      sql`select detail -> 'after' as after from audit_entries where subject = ${String(planId)} and action = 'stock_alert.set' order by id`,
    );
    expect(audited).toEqual([{ after: { kind: "codes", value: 5 } }, { after: { kind: "off", value: 0 } }]);
  });
});
