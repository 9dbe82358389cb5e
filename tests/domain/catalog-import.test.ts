import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import type { ImportCounts } from "@/lib/catalog/import/commands";
import { findProductPage, getProductPage } from "@/lib/catalog/queries";
import {
  detail,
  importCategory,
  type Plan,
  plan,
  product,
  importLines as run,
  sizes,
  text,
} from "./catalog-lines";

const SEED = "db/seed/catalog.jsonl";
const shift = (interval: string) => client()`update shop_clock set shift = shift + ${interval}::interval`;
beforeAll(importCategory);
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

describe("the demo catalogue", () => {
  it("goes in once, is previewed without a trace, and comes again without a change", async () => {
    const before = await sizes();
    const preview = await run(createReadStream(SEED), { preview: true });
    expect(preview).toEqual({ added: 94, changed: 0, unchanged: 0, refused: 0, refusals: [] });
    expect(await sizes()).toEqual(before);
    expect(await run(createReadStream(SEED))).toEqual(preview);
    const rows = await client()`select * from products order by id`;
    expect(await run(createReadStream(SEED))).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 94,
      refused: 0,
    });
    expect(await client()`select * from products order by id`).toEqual(rows);
    expect(await sizes()).toMatchObject({ products: 82, plans: 253, deals: 9, categories: 13 });
  });

  it("is the same after 4 imports at once", async () => {
    const lines = Array.from({ length: 60 }, () => product());
    const results = await Promise.all([1, 2, 3, 4].map(() => run(lines)));
    const sum = (name: keyof ImportCounts) => results.reduce((all, result) => all + result[name], 0);
    expect({
      added: sum("added"),
      changed: sum("changed"),
      unchanged: sum("unchanged"),
      refused: sum("refused"),
    }).toEqual({ added: 60, changed: 0, unchanged: 180, refused: 0 });
  });
});

describe("changes", () => {
  it("keep ids, update in place and take missing plans off the list", async () => {
    const line = product({ plans: [plan(), plan({ type: "month", duration_days: 30, price: 20 })] });
    await run([line]);
    const first = await detail(line.slug);
    const changed = {
      ...line,
      sort_num: 7,
      plans: [plan({ price: 8 }), plan({ type: "day", duration_days: 3, price: 4 })],
    };
    expect(await run([changed])).toMatchObject({ added: 0, changed: 1, unchanged: 0, refused: 0 });
    const second = await detail(line.slug);
    expect(second.product_id).toBe(first.product_id);
    expect(second.sort_num).toBe(7);
    expect(
      second.vip_options.map(({ vip_type, duration_days, price }) => [vip_type, duration_days, price]),
    ).toEqual([
      ["week", 7, 8],
      ["day", 3, 4],
    ]);
    expect(second.vip_options[0]?.vip_id).toBe(first.vip_options[0]?.vip_id);
    const gone = await client()`select listed from plans where id = ${first.vip_options[1]!.vip_id}`;
    expect(gone).toEqual([{ listed: false }]);
    await run([line]);
    const third = await detail(line.slug);
    expect(third.vip_options.map(({ vip_id }) => vip_id)).toEqual(
      first.vip_options.map(({ vip_id }) => vip_id),
    );
  });

  it("accept the former names of the vendor's fields", async () => {
    const { vendor, ...line } = product();
    await run([{ ...line, maker: vendor, maker_email: "vendor@example.com" }]);
    const [row] = await client()`select vendor, vendor_email from products where slug = ${line.slug}`;
    expect(row).toEqual({ vendor, vendor_email: "vendor@example.com" });
  });

  it("take a translation away again", async () => {
    const zh = text({
      name: "工具",
      tagline: "一件工具。",
      description: "这是一件工具。",
      includes: ["一件"],
    });
    const line = product({ texts: { en: text(), zh } });
    await run([line]);
    expect(await getProductPage({ slug: line.slug, locale: "zh" })).toMatchObject({
      language: "zh",
      product_name: "工具",
      languages: ["en", "zh"],
    });
    await run([{ ...line, texts: { en: text() } }]);
    expect(await getProductPage({ slug: line.slug, locale: "zh" })).toMatchObject({
      language: "en",
      product_name: "Tool",
      languages: ["en"],
    });
  });

  it("do not depend on the order of fields or on white space", async () => {
    const line = product();
    await run([line]);
    const turned = JSON.stringify(Object.fromEntries(Object.entries(line).reverse()), null, 1).replaceAll(
      "\n",
      " ",
    );
    expect(await run([turned])).toMatchObject({ unchanged: 1, changed: 0 });
  });
});

describe("times counted from the import", () => {
  const withDeal = (deal: object | null, more: Plan = {}) => [plan({ deal, ...more })];
  const dealOf = async (slug: string) => (await detail(slug)).vip_options[0]?.deal ?? null;

  it("stay when another part of the line changes, and are counted anew when they change", async () => {
    const deal = { price: 5, ends_at: "P9D", quantity: 20 };
    const line = product({ plans: withDeal(deal) });
    await run([line]);
    const first = await dealOf(line.slug);
    await shift("2 days");
    await run([{ ...line, sort_num: 2 }]);
    expect(await dealOf(line.slug)).toEqual(first);
    await run([{ ...line, sort_num: 3, plans: withDeal({ ...deal, price: 4, quantity: 30 }) }]);
    expect(await dealOf(line.slug)).toEqual({ ...first, quantity: 30, items_left: 30 });
    expect((await detail(line.slug)).price).toBe(4);
    await run([{ ...line, plans: withDeal({ ...deal, ends_at: "P10D" }) }]);
    const moved = await dealOf(line.slug);
    expect(Date.parse(moved!.ends_at) - Date.parse(first!.ends_at)).toBeGreaterThanOrEqual(3 * 86_400_000);
    const rows =
      await client()`select ended_at is null as live from deals d join plans pl on pl.id = d.plan_id
      join products p on p.id = pl.product_id where p.slug = ${line.slug} order by d.created_at`;
    expect(rows.map(({ live }) => live)).toEqual([false, true]);
    await run([{ ...line, plans: withDeal(null) }]);
    expect(await dealOf(line.slug)).toBeNull();
  });

  it("leave a deal ended that was ended by hand", async () => {
    const line = product({ plans: withDeal({ price: 5, ends_at: "P9D", quantity: 20 }) });
    await run([line]);
    await client()`update deals set ended_at = shop_now() where ended_at is null and plan_id in
      (select pl.id from plans pl join products p on p.id = pl.product_id where p.slug = ${line.slug})`;
    await run([{ ...line, sort_num: 9 }]);
    expect(await dealOf(line.slug)).toBeNull();
  });

  it("hold for the release of a pre-order too", async () => {
    const plans = (releases_on: string) => [plan({ availability: "pre_order", releases_on })];
    const line = product({ plans: plans("P45D") });
    const release = async () => Date.parse((await detail(line.slug)).vip_options[0]!.releases_at!);
    await run([line]);
    const first = await release();
    await shift("10 days");
    await run([{ ...line, vendor: "Others" }]);
    expect(await release()).toBe(first);
    await run([{ ...line, plans: plans("P46D") }]);
    expect(await release()).toBeGreaterThanOrEqual(first + 11 * 86_400_000);
    const march = `${new Date().getFullYear() + 1}-03-01`;
    await run([{ ...line, plans: plans(march) }]);
    expect(await release()).toBe(Date.parse(`${march}T00:00:00Z`));
  });

  it("refuse fewer units than were sold, and write nothing else of that line", async () => {
    const line = product({ plans: withDeal({ price: 5, ends_at: "P9D", quantity: 20 }) });
    await run([line]);
    await client()`update deals set claimed = 15 where plan_id in
      (select pl.id from plans pl join products p on p.id = pl.product_id where p.slug = ${line.slug})`;
    const less = { ...line, vendor: "Changed", plans: withDeal({ price: 5, ends_at: "P9D", quantity: 14 }) };
    const other = product();
    const result = await run([less, other]);
    expect(result).toMatchObject({ added: 1, changed: 0, refused: 1 });
    expect(result.refusals).toEqual([
      { line: 1, path: "", message: "The deal has fewer units than were sold already." },
    ]);
    expect((await detail(line.slug)).maker).toBe("Makers");
    expect(await findProductPage({ slug: other.slug, locale: "en" })).not.toBeNull();
  });
});

describe("size", () => {
  it("10,000 lines need no more memory than their batches", async () => {
    const lines = async function* () {
      for (let i = 0; i < 10_000; i++) {
        const description = `Number ${i}. ${"It is a tool. ".repeat(200)}`;
        yield Buffer.from(
          `${JSON.stringify(product({ slug: `mass-${i}`, texts: { en: text({ description }) } }))}\n`,
        );
      }
    };
    global.gc?.();
    const before = process.memoryUsage();
    let peak = 0;
    const begun = Date.now();
    const watch = setInterval(() => {
      const now = process.memoryUsage();
      peak = Math.max(peak, now.rss - before.rss);
    }, 20);
    const first = await run(Readable.from(lines()));
    clearInterval(watch);
    const seconds = (Date.now() - begun) / 1000;
    expect(first).toMatchObject({ added: 10_000, refused: 0 });
    expect(await run(Readable.from(lines()))).toMatchObject({ unchanged: 10_000, changed: 0 });
    console.log(
      `10,000 lines (32 MB) in ${seconds.toFixed(1)} s, memory +${Math.round(peak / 1e6)} MB at most`,
    );
    expect(peak).toBeLessThan(200e6);
  }, 180_000);
});
