import { createHash } from "node:crypto";
import { text as readText } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import type { PriceEffect } from "@/lib/catalog/bulk/contract";
import { importPrices } from "@/lib/catalog/bulk/import-prices";
import { type PriceFileError, priceFile } from "@/lib/catalog/bulk/price-file";
import { applyPrices, previewPrices } from "@/lib/merchants/bulk/change-prices";
import { pausePlans } from "@/lib/merchants/bulk/pause-plans";
import { startDeal } from "@/lib/merchants/bulk/start-deal";
import { importCategory, importLines, planRecord, productRecord } from "@/tests/setup/catalog-import";
import { rounds } from "@/tests/setup/rounds";

beforeAll(importCategory);
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

const TYPES = ["day", "week", "month", "year"] as const;
const DAYS = { day: 1, week: 7, month: 30, year: 365 };
/** Creates products with four plans each at $10, $20 …, and returns the ids of the plans. */
async function createPlans(products: number, merchantId?: string): Promise<number[]> {
  const lines = Array.from({ length: products }, () =>
    productRecord({
      plans: TYPES.map((type, i) => planRecord({ type, duration_days: DAYS[type], price: 10 * (i + 1) })),
    }),
  );
  for (let at = 0; at < lines.length; at += 500) await importLines(lines.slice(at, at + 500));
  const slugs = lines.map(({ slug }) => slug);
  if (merchantId)
    await db.execute(
      sql`update products set merchant_id = ${merchantId} where slug = any(${sql.param(slugs)}::text[])`,
    );
  const rows = await db.execute<{ id: number }>(sql`
    select pl.id from plans pl join products p on p.id = pl.product_id where p.slug = any(${sql.param(slugs)}::text[]) order by pl.id`);
  return rows.map(({ id }) => id);
}
const fileOf = (lines: readonly (readonly (string | number)[])[]) =>
  ["vip_id,price", ...lines.map((line) => line.join(","))].join("\r\n");
async function* streamOf(text: string) {
  yield Buffer.from(text);
}
async function run(text: string, preview = false) {
  const refused: PriceFileError[] = [];
  const effects: PriceEffect[] = [];
  const counts = await importPrices(streamOf(text), {
    actor: "usr_staff",
    preview,
    onRefused: (refusal) => refused.push(refusal),
    onProgress: () => {},
    onEffect: (effect) => effects.push(effect),
  });
  return { counts: { ...counts }, refused, effects };
}
const pricesOf = async (ids: readonly number[]) => {
  const rows = await db.execute<{ id: number; cents: number }>(
    sql`select id, price_cents as cents from plans where id = any(${sql.param(ids)}::int[])`,
  );
  return new Map(rows.map(({ id, cents }) => [id, cents]));
};

describe("a file of prices", () => {
  it("of 10,000 lines with 37 faults is applied except for these lines, which are reported by number, and changes nothing when repeated", async () => {
    const plans = await createPlans(rounds(2_500, 150));
    // The price as it is in the list: $10, $20, $30, $40 in turn.
    const priceAt = (n: number) => 10 * ((n % 4) + 1);
    const faults = new Map<number, [line: (string | number)[], error: string]>();
    const step = Math.floor(plans.length / 38);
    const kinds: ((n: number) => [(string | number)[], string])[] = [
      (n) => [[plans[n]!, "cheap"], "price_amount"],
      (n) => [[plans[n]!, priceAt(n) * 3], "price_needs_approval"],
      (n) => [[2_000_000_000 + n, 5], "price_plan"],
      (n) => [[plans[0]!, priceAt(n)], "price_repeated"],
      (n) => [[plans[n]!], "price_fields"],
      (n) => [[plans[n]!, "0"], "price_amount"],
      () => [["x", 5], "price_plan"],
    ];
    for (let n = 1; n <= 37; n += 1) faults.set(n * step, kinds[n % kinds.length]!(n * step));
    const lines = plans.map((id, n) => faults.get(n)?.[0] ?? [id, priceAt(n) + 1]);
    const text = fileOf(lines);
    const expected = [...faults].map(([n, [, error]]) => [n + 2, error]);
    const preview = await run(text, true);
    const named = (refused: PriceFileError[]) =>
      refused.map(({ line, error }) => [line, error]).sort((a, b) => Number(a[0]) - Number(b[0]));
    expect(preview.counts).toMatchObject({ changed: plans.length - 37, unchanged: 0, refused: 37 });
    expect(named(preview.refused)).toEqual(expected);
    expect(preview.effects[0]).toMatchObject({ line: 2, before: 10, after: 11, shown: { price: 11 } });
    expect((await pricesOf(plans)).get(plans[0]!)).toBe(1_000);

    const first = await run(text);
    expect(first.counts).toEqual(preview.counts);
    expect(named(first.refused)).toEqual(expected);
    const stored = await pricesOf(plans);
    for (const [n, id] of plans.entries())
      expect(stored.get(id)).toBe(100 * (priceAt(n) + (faults.has(n) ? 0 : 1)));
    const second = await run(text);
    expect(second.counts).toMatchObject({ changed: 0, unchanged: plans.length - 37, refused: 37 });
    expect(await pricesOf(plans)).toEqual(stored);
  }, 900_000);

  it("changes nothing when it is uploaded as downloaded, even in the formats of spreadsheets", async () => {
    const merchant = await createMerchant();
    const plans = await createPlans(1, merchant.id);
    const text = await readText(priceFile({ merchantId: merchant.id, locale: "en" }) as never);
    expect(text.split("\r\n")).toHaveLength(plans.length + 2);
    expect((await run(text)).counts).toEqual({ added: 0, changed: 0, unchanged: plans.length, refused: 0 });
    const german = `vip_id;product;plan;price\n${plans[0]};Tool;day:1;10,50\n`;
    expect((await run(german)).counts).toMatchObject({ changed: 1, refused: 0 });
    expect((await pricesOf(plans)).get(plans[0]!)).toBe(1_050);
    expect((await run("product,price\nx,1")).refused).toMatchObject([
      { line: 1, error: "price_file_header" },
    ]);
  });

  it("is checked line by line: too early changes, deals on raised prices and deals without a reduction are rejected", async () => {
    const [day, week, month] = await createPlans(1);
    await run(fileOf([[day!, 12]]));
    const { refused, counts } = await run(
      fileOf([
        [day!, 13],
        [week!, 22],
      ]),
    );
    expect(refused).toMatchObject([{ line: 2, error: "price_too_soon" }]);
    expect(counts).toMatchObject({ changed: 1, refused: 1 });
    await db.execute(sql`
      insert into deals (id, plan_id, price_cents, ends_at, quantity) values ('deal_file', ${month}, 2500, shop_now() + interval '2 days', 10)`);
    expect((await run(fileOf([[month!, 24]]))).refused).toMatchObject([
      { line: 2, error: "line_deal_price" },
    ]);
  });
});

describe("bulk work on plans", () => {
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");
  async function applyAll(seller: Seller, text: string) {
    const total = { changed: 0, unchanged: 0, refused: 0, waiting: 0 };
    const refused: { line: number }[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const part = await applyPrices(seller.member, streamOf(text), {
        sha256: sha(text),
        after,
        locale: "en",
      });
      for (const name of ["changed", "unchanged", "refused", "waiting"] as const)
        total[name] += part.counts[name];
      refused.push(...part.refused);
      after = part.next;
    }
    return { total, refused };
  }

  it("by a trusted merchant is live immediately, once, and for its own plans only", async () => {
    const seller = await createSeller(await createMerchant({ trust: "trusted" }));
    const [own, other] = [await createPlans(2, seller.merchant.id), await createPlans(1)];
    const text = fileOf(
      [...own.map((id) => [id, 9.5]), [other[0]!, 9.5]].map(([id, price]) => [id!, price!]),
    );
    const changed = own.filter((_, n) => n % 4 < 1).length;
    const preview = await previewPrices(seller.member, streamOf(text), "en");
    expect(preview).toMatchObject({ automatic: true, sha256: sha(text) });
    expect(preview.refused).toMatchObject([{ line: own.length + 2 }]);
    expect(preview.effects.filter(({ needs_approval }) => !needs_approval)).toHaveLength(changed);
    const small = fileOf(own.map((id, n) => [id, 10 * ((n % 4) + 1) - 0.5]));
    expect((await applyAll(seller, small)).total).toEqual({
      changed: own.length,
      unchanged: 0,
      refused: 0,
      waiting: 0,
    });
    expect((await pricesOf(own)).get(own[0]!)).toBe(950);
    expect((await applyAll(seller, small)).total).toMatchObject({ changed: 0, unchanged: own.length });
    await expect(
      applyPrices(seller.member, streamOf(small), { sha256: sha("x"), after: 0, locale: "en" }),
    ).rejects.toMatchObject({ error: "import_file_differs" });
  });

  it("by a new merchant waits for staff, and proposes nothing more when the file is repeated", async () => {
    const seller = await createSeller(await createMerchant());
    const plans = await createPlans(1, seller.merchant.id);
    const text = fileOf(plans.map((id, n) => [id, 10 * ((n % 4) + 1) + 2]));
    expect((await applyAll(seller, text)).total).toMatchObject({ changed: 4, waiting: 4 });
    expect((await applyAll(seller, text)).total).toMatchObject({ changed: 0, unchanged: 4 });
    const [row] = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from product_changes where merchant_id = ${seller.merchant.id}`,
    );
    expect(row!.n).toBe(1);
  });

  it("starts one deal for all plans, rejects plans that have one, and changes nothing when repeated", async () => {
    const seller = await createSeller(await createMerchant({ trust: "trusted" }));
    const plans = await createPlans(1, seller.merchant.id);
    await db.execute(sql`
      insert into deals (id, plan_id, price_cents, ends_at, quantity) values ('deal_all', ${plans[3]}, 3500, shop_now() + interval '1 day', 10)`);
    const ends_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const input = { percent: 10, ends_at, quantity: 100, preview: false, after: 0 };
    const { preview } = await startDeal(seller.member, { ...input, preview: true }, "en");
    expect(preview).toMatchObject({ counts: { changed: 3, refused: 1 } });
    expect(preview!.effects[0]).toMatchObject({ before: 10, after: 9, shown: { price: 9, percent: 10 } });
    const { applied } = await startDeal(seller.member, input, "en");
    expect(applied).toMatchObject({ counts: { changed: 3, refused: 1, waiting: 0 }, next: null });
    const deals = await db.execute<{ cents: number }>(sql`
      select price_cents as cents from deals where plan_id = any(${sql.param(plans)}::int[]) and ended_at is null order by plan_id`);
    expect(deals.map(({ cents }) => cents)).toEqual([900, 1_800, 2_700, 3_500]);
    expect((await startDeal(seller.member, input, "en")).applied!.counts).toMatchObject({
      changed: 0,
      unchanged: 3,
    });
    await expect(
      startDeal(seller.member, { ...input, ends_at: "2020-01-01T00:00:00Z" }, "en"),
    ).rejects.toMatchObject({ error: "invalid_input" });
  });

  it("pauses and resumes many plans, and names those that it cannot change", async () => {
    const seller = await createSeller(await createMerchant());
    const [plans, other] = [await createPlans(1, seller.merchant.id), await createPlans(1)];
    const all = { vip_ids: [...plans, other[0]!], paused: true };
    const done = await pausePlans(seller.member, all, "en");
    expect(done).toMatchObject({ changed: 4, unchanged: 0, refused: [{ vip_id: other[0] }] });
    expect(await pausePlans(seller.member, all, "en")).toMatchObject({ changed: 0, unchanged: 4 });
    expect(await pausePlans(seller.member, { ...all, paused: false }, "en")).toMatchObject({ changed: 4 });
  });

  it("counts a plan that is paused already as unchanged also after the thousand that the screen lists", async () => {
    const seller = await createSeller(await createMerchant());
    const plans = await createPlans(251, seller.merchant.id);
    const one = { vip_ids: [plans.at(-1)!], paused: true };
    expect(await pausePlans(seller.member, one, "en")).toMatchObject({ changed: 1, unchanged: 0 });
    expect(await pausePlans(seller.member, one, "en")).toMatchObject({ changed: 0, unchanged: 1 });
  });
});
