import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, describe, expect, it, vi } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { createStaff, endAllMemberships } from "@/db/factories/staff";
import { importKeys } from "@/lib/delivery/import/import-keys";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import { refusedLines } from "@/lib/platform/imports/rules";
import { log } from "@/lib/platform/log";
import type { ImportRun } from "@/lib/staff/imports/contract";
import { keepPicture } from "@/lib/staff/imports/keep-picture";
import { getImport, listImports, refusedCsv } from "@/lib/staff/imports/list-imports";
import { previewImport } from "@/lib/staff/imports/preview-import";
import type { ImportKind } from "@/lib/staff/imports/rules";
import { runImport } from "@/lib/staff/imports/run-import";
import { importCategory, productRecord } from "@/tests/setup/catalog-import";
import { rounds } from "@/tests/setup/rounds";
import { decideSeen } from "@/tests/setup/seen";
import { asCall } from "../setup/second-person";

const folder = mkdtempSync(join(tmpdir(), "imports-"));
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

/** A file of codes with one fault per line. */
function keyFile(product: CreatedProduct, prefix: string, lines: number, faults = new Set<number>()): string {
  const line = (number: number) =>
    faults.has(number)
      ? `${product.slug},fortnight,${prefix}-${number},`
      : `${product.slug},day,${prefix}-${number},`;
  return HEADER + Array.from({ length: lines }, (_, i) => line(i + 2)).join("\n");
}

async function ended(viewer: StaffViewer, id: string): Promise<ImportRun> {
  for (;;) {
    const run = await getImport(viewer, id);
    if (run.state !== "running") return run;
    await wait(50);
  }
}

async function importText(
  viewer: StaffViewer,
  kind: ImportKind,
  text: string,
  options = {},
): Promise<ImportRun> {
  const query = { sha256: hashOf(text), name: "file", ...options };
  const { import_id } = await asCall(runImport)(viewer, kind, bytes(text), query);
  return ended(viewer, import_id);
}

const countKeys = async (product: CreatedProduct) => {
  const [row] = await client()<{ n: number }[]>`select count(*)::int as n from keys
    where plan_id in ${client()(product.plans.map(({ id }) => id))}`;
  return row!.n;
};

/** All text that an import leaves in the database, the log and answers. */
async function textOfTables(): Promise<string> {
  const rows = await db.execute<{ text: string }>(sql`
    select r::text as text from import_runs r union all select a::text from audit_entries a
    union all select i::text from idempotency_keys i union all select p::text from approvals p`);
  return rows.map(({ text }) => text).join("\n");
}

describe("a code import in the console", () => {
  it("refuses the 37 faulty lines of a long file by number, stores the others once, and repeats no code", async () => {
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const product = await createProduct({ plans: [{ type: "day" }] });
    const faults = new Set(Array.from({ length: 37 }, (_, i) => 3 + i * Math.floor(LINES / 38)));
    const text = keyFile(product, "SECRETCODE", LINES, faults);
    const logged: string[] = [];
    for (const level of ["info", "warn", "error"] as const)
      vi.spyOn(log, level).mockImplementation((...args: unknown[]) => {
        logged.push(JSON.stringify(args));
      });
    const preview = await previewImport(viewer, "keys", bytes(text));
    expect(preview).toMatchObject({
      sha256: hashOf(text),
      lines: LINES + 1,
      counts: { added: VALID, changed: 0, unchanged: 0, refused: 37 },
      needs_approval: false,
    });
    expect(preview.report.map(({ line }) => line)).toEqual([...faults]);
    expect(await countKeys(product)).toBe(0);

    const first = await importText(viewer, "keys", text);
    expect(first).toMatchObject({ state: "done", counts: { added: VALID, unchanged: 0, refused: 37 } });
    expect(first.report.map(({ line }) => line)).toEqual([...faults]);
    expect(await countKeys(product)).toBe(VALID);
    const actors = await client()`select distinct actor from key_events e join keys k on k.id = e.key_id
      where k.plan_id = ${product.plans[0]!.id}`;
    expect([...actors]).toEqual([{ actor: viewer.userId }]);

    const again = await importText(viewer, "keys", text);
    expect(again).toMatchObject({ state: "done", counts: { added: 0, unchanged: VALID, refused: 37 } });
    expect(await countKeys(product)).toBe(VALID);

    const csv = await refusedCsv(viewer, first.import_id);
    expect(csv.trim().split("\r\n")).toHaveLength(38);
    expect(refusedLines(text, first.report, { hasHeader: true }).trim().split("\n")).toEqual([
      HEADER.trim(),
      ...[...faults].map((number) => `${product.slug},fortnight,SECRETCODE-${number},`),
    ]);
    const said = [csv, JSON.stringify([preview, first, again]), logged.join("\n"), await textOfTables()];
    expect(said.join("\n")).not.toContain("SECRETCODE");
    const audited = await db.execute<{ action: string; detail: object }>(sql`
      select action, detail from audit_entries where subject = ${first.import_id} order by id`);
    expect(audited).toEqual([
      { action: "import.started", detail: { kind: "keys", name: "file", sha256: hashOf(text) } },
      {
        action: "import.done",
        detail: {
          kind: "keys",
          name: "file",
          sha256: hashOf(text),
          added: VALID,
          changed: 0,
          unchanged: 0,
          refused: 37,
        },
      },
    ]);
    vi.restoreAllMocks();
  });

  it("ends with the same result when its process is killed and the file is sent again", async () => {
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const product = await createProduct({ plans: [{ type: "day" }] });
    const text = keyFile(product, "KILLED-CODE", 12_000, new Set([9, 9_000]));
    const file = join(folder, "killed.csv");
    writeFileSync(file, text);
    const process_ = spawn(
      process.execPath,
      ["--import", "tsx", "tests/setup/import-process.ts", file, hashOf(text), JSON.stringify(viewer)],
      { stdio: "ignore", env: process.env },
    );
    const closed = new Promise((resolve) => process_.once("close", resolve));
    await expect.poll(() => countKeys(product), { timeout: 50_000, interval: 20 }).toBeGreaterThan(0);
    process_.kill("SIGKILL");
    await closed;
    const stored = await countKeys(product);
    expect(stored).toBeLessThan(11_998);
    const [left] = (await listImports(viewer, { cursor: undefined, kind: "keys" })).items;
    expect(left).toMatchObject({ state: "running", name: "keys.csv" });

    const sendAgain = () =>
      runImport(viewer, "keys", bytes(text), { sha256: hashOf(text), name: "keys.csv" });
    expect(await sendAgain()).toEqual({ import_id: left!.import_id });
    await db.execute(sql`update import_runs set heartbeat_at = shop_now() - interval '31 seconds'
      where id = ${left!.import_id}`);
    expect(await getImport(viewer, left!.import_id)).toMatchObject({ state: "broken" });
    const { import_id } = await sendAgain();
    expect(import_id).not.toBe(left!.import_id);
    const run = await ended(viewer, import_id);
    expect(run).toMatchObject({
      state: "done",
      counts: { added: 11_998 - stored, unchanged: stored, refused: 2 },
    });
    expect(run.report.map(({ line }) => line)).toEqual([9, 9_000]);
    expect(await countKeys(product)).toBe(11_998);
    expect((await getImport(viewer, left!.import_id)).state).toBe("broken");
  });

  it("does not wait for a preview of the same codes", async () => {
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const product = await createProduct({ plans: [{ type: "day" }] });
    const text = keyFile(product, "RIVAL-CODE", 1_500);
    let goOn = () => {};
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const half = text.length / 2;
    async function* slow() {
      yield Buffer.from(text.slice(0, half));
      await paused;
      yield Buffer.from(text.slice(half));
    }
    const preview = previewImport(viewer, "keys", slow());
    await wait(300);
    const rival = await importKeys(bytes(text), { onStock: async () => {} });
    expect(rival).toMatchObject({ added: 1_500, refused: 0 });
    goOn();
    const { counts } = await preview;
    expect(counts.added + counts.unchanged).toBe(1_500);
    expect(await countKeys(product)).toBe(1_500);
  });

  it("joins a running import of the same file", async () => {
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const product = await createProduct({ plans: [{ type: "day" }] });
    const text = keyFile(product, "DOUBLE-CODE", 3_000);
    const query = { sha256: hashOf(text), name: "keys.csv" };
    const [first, second] = await Promise.all([
      runImport(viewer, "keys", bytes(text), query),
      runImport(viewer, "keys", bytes(text), query),
    ]);
    expect(first).toEqual(second);
    expect(await ended(viewer, first.import_id)).toMatchObject({ counts: { added: 3_000 } });
    expect(await countKeys(product)).toBe(3_000);
  });

  it("writes nothing of a file other than the previewed one", async () => {
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const product = await createProduct({ plans: [{ type: "day" }] });
    const text = keyFile(product, "OTHER-CODE", 20);
    const query = { sha256: hashOf(text), name: "keys.csv" };
    for (const other of [text.slice(0, -5), `${text}\n`, ""])
      await expect(runImport(viewer, "keys", bytes(other), query)).rejects.toMatchObject({
        error: "import_file_differs",
      });
    expect(await countKeys(product)).toBe(0);
    expect((await listImports(viewer, { cursor: undefined })).items).toEqual(
      (await listImports(viewer, { cursor: undefined })).items.filter(
        ({ sha256 }) => sha256 !== query.sha256,
      ),
    );
  });

  it("reads a byte order mark, CRLF and UTF-16, and refuses NUL and a truncated line by its number", async () => {
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const product = await createProduct({ plans: [{ type: "day" }] });
    const good = `\uFEFF${keyFile(product, "WINDOWS-CODE", 3).replaceAll("\n", "\r\n")}\r\n`;
    expect(await importText(viewer, "keys", good)).toMatchObject({ counts: { added: 3, refused: 0 } });
    const bad = `${HEADER}${product.slug},day,N\0UL-CODE-1,\n${product.slug}\0,day,NUL-CODE-2,\n${product.slug},day,FINE-CODE-3,\n${product.slug},da`;
    const run = await importText(viewer, "keys", bad);
    expect(run).toMatchObject({ state: "done", counts: { added: 1, refused: 3 } });
    expect(run.report.map(({ line }) => line)).toEqual([2, 3, 5]);
    const utf16 = await previewImport(
      viewer,
      "keys",
      (async function* () {
        yield Buffer.from(keyFile(product, "WIDE-CODE", 3), "utf16le");
      })(),
    );
    expect(utf16).toMatchObject({ lines: 4, counts: { added: 3, refused: 0 }, report: [] });
    // The reasons are said in the language of who reads them, also those of an import that another person ran.
    const reasons = async (locale: Locale) =>
      (await getImport({ ...viewer, locale }, run.import_id)).report.map(({ message }) => message);
    expect(await reasons("zh")).toEqual([
      "这一行含有空字符 (NUL)。",
      "这一行含有空字符 (NUL)。",
      "这一行有 2 列，表头有 4 列。",
    ]);
    expect((await reasons("ja"))[2]).toBe("この行は 2 列、見出しは 4 列です。");
    expect(await refusedCsv({ ...viewer, locale: "en" }, run.import_id)).toContain(
      "The line has 2 fields, the header has 4.",
    );
    expect(await previewImport(viewer, "keys", bytes(""))).toMatchObject({ lines: 0, counts: { added: 0 } });
  });

  it("is visible to those who may import its kind", async () => {
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const finance = (await createStaff({ roles: ["finance"] })).viewer;
    const product = await createProduct({ plans: [{ type: "day" }] });
    const run = await importText(viewer, "keys", keyFile(product, "SEEN-CODE", 3));
    const hidden = { error: "import_unknown" };
    await expect(getImport(finance, run.import_id)).rejects.toMatchObject(hidden);
    await expect(refusedCsv(finance, run.import_id)).rejects.toMatchObject(hidden);
    expect((await listImports(finance, { cursor: undefined, kind: "keys" })).items).toEqual([]);
    expect((await listImports(viewer, { cursor: undefined, kind: "keys" })).items[0]).toEqual(
      expect.objectContaining({ import_id: run.import_id, started_by: expect.stringContaining("@") }),
    );
  });
});

describe("an import of campaigns and coupons", () => {
  it("is previewed and run, and refuses lines that the database cannot store", async () => {
    const { viewer } = await createStaff({ roles: ["finance"] });
    const campaign = {
      kind: "campaign",
      id: "console-import",
      title: { en: "A", zh: "甲", ja: "あ" },
      amount: 5,
      monthly_budget: 100,
    };
    const lines = [
      campaign,
      { kind: "coupon", code: "CONSOLE-1", campaign: "console-import" },
      { kind: "coupon", code: "CONSOLE-2", campaign: "no-such" },
      { ...campaign, id: "with-nul", title: { ...campaign.title, en: "A\0" } },
      { ...campaign, id: "too-much", monthly_budget: 5_001 },
      { ...campaign, id: "unlimited", monthly_budget: undefined },
      { ...campaign, id: "with-half", title: { ...campaign.title, en: "A\ud800" } },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    const preview = await previewImport(viewer, "coupons", bytes(text));
    expect(preview).toMatchObject({ counts: { added: 2, refused: 5 } });
    const inChinese = await previewImport({ ...viewer, locale: "zh" }, "coupons", bytes(text));
    expect(inChinese.report.map(({ line, field }) => [line, field])).toEqual([
      [3, "campaign"],
      [4, "title.en"],
      [5, "monthly_budget"],
      [6, "monthly_budget"],
      [7, "title.en"],
    ]);
    for (const { message } of inChinese.report) expect(message).toMatch(/\p{Script=Han}/u);
    expect(await importText(viewer, "coupons", text)).toMatchObject({
      state: "done",
      counts: { added: 2, refused: 5 },
      report: preview.report,
    });
    expect(await importText(viewer, "coupons", text)).toMatchObject({ counts: { added: 0, unchanged: 2 } });
  });
});

describe("codes from a spreadsheet", () => {
  it("are refused or held in files of keys and of coupons, and imported once staff confirm the held ones", async () => {
    const { viewer } = await createStaff({ roles: ["admin"] });
    const product = await createProduct({ plans: [{ type: "day" }] });
    const keys = `${HEADER}${product.slug},day,1.23457E+15,\n${product.slug},day,2029-05-05,\n`;
    const campaign = { kind: "campaign", id: "sheet", title: { en: "A", zh: "甲", ja: "あ" }, amount: 5 };
    const coupons = [
      { ...campaign, monthly_budget: 100 },
      { kind: "coupon", code: "#REF!", campaign: "sheet" },
      { kind: "coupon", code: "2029-05-05", campaign: "sheet" },
    ];
    const files = { keys, coupons: coupons.map((line) => JSON.stringify(line)).join("\n") };
    for (const kind of ["keys", "coupons"] as const) {
      const file = files[kind];
      const preview = await previewImport(viewer, kind, bytes(file));
      expect(preview).toMatchObject({ counts: { refused: 2 }, held: 1 });
      const confirmed = await previewImport(viewer, kind, bytes(file), { confirm_held: true });
      expect(confirmed).toMatchObject({ counts: { refused: 1 }, held: 0 });
      expect(confirmed.report[0]!.message).toMatch(/spreadsheet/);
      expect(await importText(viewer, kind, file)).toMatchObject({ counts: { refused: 2 } });
      const run = await importText(viewer, kind, file, { confirm_held: true });
      expect(run).toMatchObject({ counts: { added: 1, refused: 1 } });
    }
  });
});

describe("a catalogue import", () => {
  it("finds pictures by name among those that were sent", async () => {
    await importCategory();
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const other = (await createStaff({ roles: ["catalogue"] })).viewer;
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#a33" } })
      .png()
      .toBuffer();
    const send = (bytes: Buffer) =>
      keepPicture(
        viewer,
        "sent.png",
        (async function* () {
          yield bytes;
        })(),
      );
    await expect(send(Buffer.from("no picture"))).rejects.toMatchObject({ error: "picture_type" });
    await send(png);
    const lines = [
      productRecord({ image: "pictures/sent.png" }),
      productRecord({ image: "pictures/missing.png" }),
      productRecord({ image: "others/sent.png" }),
    ];
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    const run = await importText(viewer, "catalog", text);
    expect(run).toMatchObject({ state: "done", counts: { added: 1, refused: 2 } });
    expect(run.report).toEqual([
      {
        line: 2,
        field: "image",
        message: "The picture missing.png was not sent. Choose it together with the file.",
      },
      {
        line: 3,
        field: "image",
        message: "Two pictures have the name sent.png: pictures/sent.png and others/sent.png.",
      },
    ]);
    const [product] = await client()`select image from products where slug = ${lines[0]!.slug}`;
    expect(product!.image).toBe(createHash("sha256").update(png).digest("hex"));
    expect((await previewImport(other, "catalog", bytes(text))).counts).toMatchObject({ refused: 3 });
  });

  it("of more than 100 changes waits for a second person, and then runs for its requester", async () => {
    await importCategory();
    await endAllMemberships();
    const asking = (await createStaff({ roles: ["catalogue"] })).viewer;
    const second = (await createStaff({ roles: ["catalogue"] })).viewer;
    const text = Array.from({ length: 101 }, () => JSON.stringify(productRecord())).join("\n");
    expect(await previewImport(asking, "catalog", bytes(text))).toMatchObject({ needs_approval: true });
    const waits = importText(asking, "catalog", text);
    await expect(waits).rejects.toMatchObject({ error: "approval_required" });
    const { issues } = (await waits.catch((error: unknown) => error)) as { issues: { message: string }[] };
    const [found] = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from import_runs where sha256 = ${hashOf(text)}`,
    );
    expect(found!.n).toBe(0);
    await decideSeen(second, { id: issues[0]!.message, decision: "approve" });
    await expect(importText(second, "catalog", text)).rejects.toMatchObject({ error: "approval_required" });
    expect(await importText(asking, "catalog", text)).toMatchObject({
      state: "done",
      counts: { added: 101, refused: 0 },
    });
    expect(await importText(second, "catalog", text)).toMatchObject({ counts: { unchanged: 101 } });
  });

  it("of more than 100 changes by one person in a day waits for a second person, even in parts", async () => {
    await importCategory();
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const linesOf = (count: number) =>
      Array.from({ length: count }, () => JSON.stringify(productRecord())).join("\n");
    const [first, second, rest] = [linesOf(60), linesOf(60), linesOf(40)];
    expect(await importText(viewer, "catalog", first)).toMatchObject({ counts: { added: 60 } });
    expect(await importText(viewer, "catalog", first)).toMatchObject({ counts: { unchanged: 60 } });
    expect(await previewImport(viewer, "catalog", bytes(second))).toMatchObject({ needs_approval: true });
    await expect(importText(viewer, "catalog", second)).rejects.toMatchObject({ error: "approval_required" });
    expect(await previewImport(viewer, "catalog", bytes(rest))).toMatchObject({ needs_approval: false });
    expect(await importText(viewer, "catalog", rest)).toMatchObject({ counts: { added: 40 } });
    expect(await importText(viewer, "catalog", first)).toMatchObject({ counts: { unchanged: 60 } });
  });

  it("refuses to overwrite a product that was edited in the console, unless told to take it over", async () => {
    await importCategory();
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const line = productRecord();
    expect(await importText(viewer, "catalog", JSON.stringify(line))).toMatchObject({ counts: { added: 1 } });
    await client()`update products set source = 'console', sort_num = 5 where slug = ${line.slug}`;
    const text = JSON.stringify({ ...line, sort_num: 9 });
    expect(await importText(viewer, "catalog", text)).toMatchObject({
      counts: { changed: 0, refused: 1 },
      report: [{ line: 1, message: expect.stringContaining("edited") }],
    });
    expect((await previewImport(viewer, "catalog", bytes(text), { takeOver: true })).counts.changed).toBe(1);
    expect(await importText(viewer, "catalog", text, { takeOver: true })).toMatchObject({
      counts: { changed: 1, refused: 0 },
    });
    const [revision] =
      await client()`select r.by from product_revisions r join products p on p.id = r.product_id
      where p.slug = ${line.slug} order by r.revision desc limit 1`;
    expect(revision!.by).toBe(viewer.userId);
  });
});
