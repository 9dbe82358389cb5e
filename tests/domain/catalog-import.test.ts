import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import type { ImportCounts } from "@/lib/catalog/import/import-catalog";
import { findProductPage, getProductPage } from "@/lib/catalog/product/find-product-page";
import {
  countCatalogRows,
  getDetail,
  importCategory,
  importLines,
  type Plan,
  planRecord,
  productRecord,
  productText,
  seedLines,
} from "@/tests/setup/catalog-import";
import { isComplete, rounds } from "@/tests/setup/rounds";

const LINES = rounds(10_000, 300);
const shiftClock = (interval: string) =>
  client()`update shop_clock set shift = shift + ${interval}::interval`;
beforeAll(importCategory);
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

describe("the demo catalogue", () => {
  it("is previewed without changes, imported once, and unchanged by a second import", async () => {
    const lines = seedLines();
    const products = lines.filter((line) => line.kind === "product");
    const plans = products.flatMap((product) => product.plans);
    const before = await countCatalogRows();
    const preview = await importLines(lines, { preview: true });
    expect(preview).toEqual({ added: lines.length, changed: 0, unchanged: 0, refused: 0, refusals: [] });
    expect(await countCatalogRows()).toEqual(before);
    expect(await importLines(lines)).toEqual(preview);
    const rows = await client()`select * from products order by id`;
    expect(await importLines(lines)).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: lines.length,
      refused: 0,
    });
    expect(await client()`select * from products order by id`).toEqual(rows);
    expect(await countCatalogRows()).toMatchObject({
      products: products.length,
      plans: plans.length,
      deals: plans.filter((plan) => plan.deal).length,
      categories: 1 + lines.length - products.length,
    });
    if (isComplete) expect([products.length, plans.length]).toEqual([82, 253]);
  });

  it("is stored once by 4 concurrent imports", async () => {
    const lines = Array.from({ length: 60 }, () => productRecord());
    const results = await Promise.all([1, 2, 3, 4].map(() => importLines(lines)));
    const sum = (name: keyof ImportCounts) => results.reduce((total, result) => total + result[name], 0);
    expect({
      added: sum("added"),
      changed: sum("changed"),
      unchanged: sum("unchanged"),
      refused: sum("refused"),
    }).toEqual({ added: 60, changed: 0, unchanged: 180, refused: 0 });
  });
});

describe("a changed line", () => {
  it("keeps ids, updates plans in place and unlists missing plans", async () => {
    const line = productRecord({
      plans: [planRecord(), planRecord({ type: "month", duration_days: 30, price: 20 })],
    });
    await importLines([line]);
    const first = await getDetail(line.slug);
    const changed = {
      ...line,
      sort_num: 7,
      plans: [planRecord({ price: 8 }), planRecord({ type: "day", duration_days: 3, price: 4 })],
    };
    expect(await importLines([changed])).toMatchObject({ added: 0, changed: 1, unchanged: 0, refused: 0 });
    const second = await getDetail(line.slug);
    expect(second.product_id).toBe(first.product_id);
    expect(second.sort_num).toBe(7);
    expect(
      second.vip_options.map(({ pass_type, duration_days, price }) => [pass_type, duration_days, price]),
    ).toEqual([
      ["week", 7, 8],
      ["day", 3, 4],
    ]);
    expect(second.vip_options[0]?.vip_id).toBe(first.vip_options[0]?.vip_id);
    const gone = await client()`select listed from plans where id = ${first.vip_options[1]!.vip_id}`;
    expect(gone).toEqual([{ listed: false }]);
    await shiftClock("1 minute");
    await importLines([line]);
    const third = await getDetail(line.slug);
    expect(third.vip_options.map(({ vip_id }) => vip_id)).toEqual(
      first.vip_options.map(({ vip_id }) => vip_id),
    );
  });

  it("may use the former names of the vendor fields", async () => {
    const { vendor, ...line } = productRecord();
    await importLines([{ ...line, maker: vendor, maker_email: "vendor@example.com" }]);
    const [row] = await client()`select vendor, vendor_email from products where slug = ${line.slug}`;
    expect(row).toEqual({ vendor, vendor_email: "vendor@example.com" });
  });

  it("removes a missing translation", async () => {
    const zh = productText({
      name: "工具",
      tagline: "一件工具。",
      description: "这是一件工具。",
      includes: ["一件"],
    });
    const line = productRecord({ texts: { en: productText(), zh } });
    await importLines([line]);
    expect(await getProductPage({ slug: line.slug, locale: "zh" })).toMatchObject({
      language: "zh",
      product_name: "工具",
      languages: ["en", "zh"],
    });
    await importLines([{ ...line, texts: { en: productText() } }]);
    expect(await getProductPage({ slug: line.slug, locale: "zh" })).toMatchObject({
      language: "en",
      product_name: "Tool",
      languages: ["en"],
    });
  });

  it("is not detected by the order of fields or white space alone", async () => {
    const line = productRecord();
    await importLines([line]);
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(line).reverse()), null, 1).replaceAll(
      "\n",
      " ",
    );
    expect(await importLines([reordered])).toMatchObject({ unchanged: 1, changed: 0 });
  });
});

describe("times relative to the import", () => {
  const planWithDeal = (deal: object | null, fields: Plan = {}) => [planRecord({ deal, ...fields })];
  const getDeal = async (slug: string) => (await getDetail(slug)).vip_options[0]?.deal ?? null;

  it("stay when other fields of the line change, and are computed again when they change", async () => {
    const deal = { price: 5, ends_at: "P9D", quantity: 20 };
    const line = productRecord({ plans: planWithDeal(deal) });
    await importLines([line]);
    const first = await getDeal(line.slug);
    await shiftClock("2 days");
    await importLines([{ ...line, sort_num: 2 }]);
    expect(await getDeal(line.slug)).toEqual(first);
    await importLines([{ ...line, sort_num: 3, plans: planWithDeal({ ...deal, price: 5.5, quantity: 30 }) }]);
    expect(await getDeal(line.slug)).toEqual({ ...first, quantity: 30, items_left: 30 });
    expect((await getDetail(line.slug)).price).toBe(5.5);
    await shiftClock("1 minute");
    await importLines([{ ...line, plans: planWithDeal({ ...deal, ends_at: "P10D" }) }]);
    const prolonged = await getDeal(line.slug);
    expect(Date.parse(prolonged!.ends_at) - Date.parse(first!.ends_at)).toBeGreaterThanOrEqual(
      3 * 86_400_000,
    );
    const rows =
      await client()`select ended_at is null as running from deals d join plans pl on pl.id = d.plan_id
      join products p on p.id = pl.product_id where p.slug = ${line.slug} order by d.created_at`;
    expect(rows.map(({ running }) => running)).toEqual([false, true]);
    await importLines([{ ...line, plans: planWithDeal(null) }]);
    expect(await getDeal(line.slug)).toBeNull();
  });

  it("do not reopen a deal that was ended manually", async () => {
    const line = productRecord({ plans: planWithDeal({ price: 5, ends_at: "P9D", quantity: 20 }) });
    await importLines([line]);
    await client()`update deals set ended_at = shop_now() where ended_at is null and plan_id in
      (select pl.id from plans pl join products p on p.id = pl.product_id where p.slug = ${line.slug})`;
    await importLines([{ ...line, sort_num: 9 }]);
    expect(await getDeal(line.slug)).toBeNull();
  });

  it("include the release of a pre-order", async () => {
    const plans = (releases_on: string) => [planRecord({ availability: "pre_order", releases_on })];
    const line = productRecord({ plans: plans("P45D") });
    const getReleaseTime = async () => Date.parse((await getDetail(line.slug)).vip_options[0]!.releases_at!);
    await importLines([line]);
    const first = await getReleaseTime();
    await shiftClock("10 days");
    await importLines([{ ...line, vendor: "Others" }]);
    expect(await getReleaseTime()).toBe(first);
    await importLines([{ ...line, plans: plans("P46D") }]);
    expect(await getReleaseTime()).toBeGreaterThanOrEqual(first + 11 * 86_400_000);
    const releaseDate = `${new Date().getFullYear() + 1}-03-01`;
    await importLines([{ ...line, plans: plans(releaseDate) }]);
    expect(await getReleaseTime()).toBe(Date.parse(`${releaseDate}T00:00:00Z`));
  });

  it("reject a deal with fewer units than were sold, with its whole line", async () => {
    const line = productRecord({ plans: planWithDeal({ price: 5, ends_at: "P9D", quantity: 20 }) });
    await importLines([line]);
    await client()`update deals set claimed = 15 where plan_id in
      (select pl.id from plans pl join products p on p.id = pl.product_id where p.slug = ${line.slug})`;
    const reduced = {
      ...line,
      vendor: "Changed",
      plans: planWithDeal({ price: 5, ends_at: "P9D", quantity: 14 }),
    };
    const other = productRecord();
    const result = await importLines([reduced, other]);
    expect(result).toMatchObject({ added: 1, changed: 0, refused: 1 });
    expect(result.refusals).toEqual([
      {
        line: 1,
        path: "",
        message: "The deal has fewer units than were sold already.",
        error: "line_deal_units",
      },
    ]);
    expect((await getDetail(line.slug)).maker).toBe("Makers");
    expect(await findProductPage({ slug: other.slug, locale: "en" })).not.toBeNull();
  });
});

describe("memory", () => {
  it(`stays below 200 MB for an import of ${LINES} lines`, async () => {
    const lines = async function* () {
      for (let i = 0; i < LINES; i++) {
        const description = `Number ${i}. ${"It is a tool. ".repeat(200)}`;
        yield Buffer.from(
          `${JSON.stringify(productRecord({ slug: `mass-${i}`, texts: { en: productText({ description }) } }))}\n`,
        );
      }
    };
    global.gc?.();
    const before = process.memoryUsage();
    let peak = 0;
    const startedAt = Date.now();
    const memoryTimer = setInterval(() => {
      const usage = process.memoryUsage();
      peak = Math.max(peak, usage.rss - before.rss);
    }, 20);
    const first = await importLines(Readable.from(lines()));
    clearInterval(memoryTimer);
    const seconds = (Date.now() - startedAt) / 1000;
    expect(first).toMatchObject({ added: LINES, refused: 0 });
    expect(await importLines(Readable.from(lines()))).toMatchObject({ unchanged: LINES, changed: 0 });
    console.log(`${LINES} lines in ${seconds.toFixed(1)} s, memory +${Math.round(peak / 1e6)} MB at most`);
    expect(peak).toBeLessThan(200e6);
  });
});
