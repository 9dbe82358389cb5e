import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { type ImportCounts, importCatalog } from "@/lib/catalog/commands-import";
import { PictureProblem } from "@/lib/catalog/commands-import-image";
import type { ImportRefusal } from "@/lib/catalog/contract-import";
import { findProductPage, getProductPage } from "@/lib/catalog/queries";

const SEED = "db/seed/catalog.jsonl";
const shift = (interval: string) => client()`update shop_clock set shift = shift + ${interval}::interval`;
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);
beforeAll(async () => {
  await run([{ kind: "category", slug: "tools", sort_num: 1, hue: 10, names: { en: "Tools" } }]);
});

type Outcome = ImportCounts & { refusals: ImportRefusal[] };
type More = { preview?: boolean; pictures?: Record<string, Buffer> };

/** Imports lines given as objects (or as raw text), or a stream. */
async function run(
  lines: (object | string)[] | Readable,
  { preview, pictures = {} }: More = {},
): Promise<Outcome> {
  const refusals: ImportRefusal[] = [];
  const text = (line: object | string) => (typeof line === "string" ? line : JSON.stringify(line));
  const source = Array.isArray(lines) ? Readable.from([Buffer.from(lines.map(text).join("\n"))]) : lines;
  const counts = await importCatalog(source, {
    preview,
    onRefused: (refusal) => refusals.push(refusal),
    readImage: async (path) => {
      const bytes = pictures[path];
      if (!bytes) throw new PictureProblem(`The picture ${path} cannot be read.`);
      return bytes;
    },
  });
  return { ...counts, refusals };
}

let number = 0;
type Plan = Record<string, unknown>;
const plan = (given: Plan = {}): Plan => ({ type: "week", duration_days: 7, price: 9.9, ...given });
const text = (given: object = {}) => ({
  name: "Tool",
  tagline: "A tool.",
  description: "It is a tool.",
  includes: ["One"],
  ...given,
});
const product = (given: Record<string, unknown> = {}): Record<string, unknown> & { slug: string } => ({
  kind: "product",
  slug: `tool-${++number}`,
  maker: "Makers",
  category: "tools",
  image: "emblem:tool",
  sort_num: 1,
  texts: { en: text() },
  activation: { url: "https://maker.example/redeem", steps: { en: ["Enter the code."] } },
  plans: [plan()],
  ...given,
});
const detail = (slug: string) => getProductPage({ slug, locale: "en" });
const sizes = async () => {
  const [row] =
    await client()`select (select count(*)::int from products) as products, (select count(*)::int from plans) as plans,
    (select count(*)::int from deals) as deals, (select count(*)::int from product_texts) as texts,
    (select count(*)::int from categories) as categories, (select count(*)::int from product_images) as images`;
  return row;
};

describe("the demo catalogue", () => {
  it("goes in once, is previewed without a trace, and comes again without a change", async () => {
    const before = await sizes();
    const preview = await run(createReadStream(SEED), { preview: true });
    expect(preview).toEqual({ added: 32, changed: 0, unchanged: 0, refused: 0, refusals: [] });
    expect(await sizes()).toEqual(before);
    expect(await run(createReadStream(SEED))).toEqual(preview);
    const rows = await client()`select * from products order by id`;
    expect(await run(createReadStream(SEED))).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 32,
      refused: 0,
    });
    expect(await client()`select * from products order by id`).toEqual(rows);
    expect(await sizes()).toMatchObject({ products: 24, plans: 84, deals: 3, categories: 9 });
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
    await run([{ ...line, maker: "Others" }]);
    expect(await release()).toBe(first);
    await run([{ ...line, plans: plans("P46D") }]);
    expect(await release()).toBeGreaterThanOrEqual(first + 11 * 86_400_000);
    await run([{ ...line, plans: plans("2027-03-01") }]);
    expect(await release()).toBe(Date.parse("2027-03-01T00:00:00Z"));
  });

  it("refuse fewer units than were sold, and write nothing else of that line", async () => {
    const line = product({ plans: withDeal({ price: 5, ends_at: "P9D", quantity: 20 }) });
    await run([line]);
    await client()`update deals set claimed = 15 where plan_id in
      (select pl.id from plans pl join products p on p.id = pl.product_id where p.slug = ${line.slug})`;
    const less = { ...line, maker: "Changed", plans: withDeal({ price: 5, ends_at: "P9D", quantity: 14 }) };
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

describe("refusals", () => {
  const han = { name: "工具", tagline: "一件工具。", description: "这是一件工具。", includes: ["一件"] };
  const cases: [string, object | string, string, RegExp][] = [
    ["no JSON", "{", "", /not JSON/],
    ["another kind", { kind: "shop" }, "kind", /category.*product/],
    ["an unknown field", product({ colour: "red" }), "", /colour/],
    ["no English", product({ texts: { zh: han } }), "texts.en", /expected object/],
    ["an unknown category", product({ category: "nowhere" }), "category", /no category nowhere/],
    ["a slug with a capital", product({ slug: "Tool" }), "slug", /lower-case/],
    ["a reserved slug", product({ slug: "detail" }), "slug", /route/],
    ["no plan", product({ plans: [] }), "plans", /at least one/],
    ["a plan twice", product({ plans: [plan(), plan()] }), "plans[1]", /named twice/],
    ["a negative price", product({ plans: [plan({ price: -1 })] }), "plans[0].price", />=0/],
    ["a third decimal", product({ plans: [plan({ price: 1.005 })] }), "plans[0].price", /two decimals/],
    [
      "a list price below the price",
      product({ plans: [plan({ list_price: 9 })] }),
      "plans[0].list_price",
      /above/,
    ],
    [
      "a free pass for many",
      product({ plans: [plan({ price: 0 })] }),
      "plans[0].purchase_limit",
      /must be 1/,
    ],
    [
      "a lifetime with days",
      product({ plans: [plan({ type: "lifetime", duration_days: 7 })] }),
      "plans[0].duration_days",
      /no number of days/,
    ],
    [
      "a pre-order without a date",
      product({ plans: [plan({ availability: "pre_order" })] }),
      "plans[0].releases_on",
      /date/,
    ],
    [
      "a deal that costs more",
      product({ plans: [plan({ deal: { price: 10, ends_at: "P1D", quantity: 1 } })] }),
      "plans[0].deal.price",
      /below/,
    ],
    [
      "a deal without an end",
      product({ plans: [plan({ deal: { price: 1, ends_at: "soon", quantity: 1 } })] }),
      "plans[0].deal.ends_at",
      /duration/,
    ],
    [
      "Chinese without Chinese",
      product({ texts: { en: text(), zh: text() } }),
      "texts.zh.tagline",
      /no Chinese/,
    ],
    ["Japanese without Japanese", product({ texts: { en: text(), ja: text() } }), "texts.ja.tagline", /kana/],
    [
      "a placeholder {x}",
      product({ texts: { en: text(), zh: { ...han, tagline: "一件{name}。" } } }),
      "texts.zh.tagline",
      /placeholder.*\{name\}/,
    ],
    [
      "a placeholder [[x]]",
      product({ texts: { en: text(), zh: { ...han, name: "工具[[1]]" } } }),
      "texts.zh.name",
      /\[\[1\]\]/,
    ],
    [
      "a placeholder %s",
      product({ texts: { en: text(), ja: { ...han, includes: ["%sを一つ"] } } }),
      "texts.ja.includes",
      /%s/,
    ],
    ["a missing picture", product({ image: "none.png" }), "image", /cannot be read/],
    [
      "a link that is not https",
      product({ activation: { url: "javascript:alert(1)", steps: { en: ["x"] } } }),
      "activation.url",
      /https/,
    ],
    [
      "a category without Chinese",
      { kind: "category", slug: "x", sort_num: 1, hue: 1, names: { en: "X", zh: "X" } },
      "names.zh",
      /no Chinese/,
    ],
  ];

  it.each(cases)("%s", async (_, line, path, message) => {
    const before = await sizes();
    const good = product();
    const result = await run([line, good]);
    expect(result).toMatchObject({ added: 1, refused: 1 });
    expect(result.refusals.map((refusal) => refusal.path)).toContain(path);
    expect(result.refusals.every((refusal) => refusal.line === 1)).toBe(true);
    expect(result.refusals.map((refusal) => refusal.message).join()).toMatch(message);
    expect((await sizes())?.products).toBe(before?.products + 1);
  });

  it("tell the second line of one slug where the first is", async () => {
    const line = product();
    const result = await run([line, "", { ...line, sort_num: 5 }]);
    expect(result).toMatchObject({ added: 1, refused: 1 });
    expect(result.refusals).toEqual([
      { line: 3, path: "slug", message: `Line 1 has the same slug: ${line.slug}.` },
    ]);
  });

  it("do not stop at bytes that are not UTF-8, at a line without end, or at a byte order mark", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`\uFEFF${JSON.stringify(product())}\r\n`),
      Buffer.from([0x22, 0xff, 0xfe, 0x0a]),
      Buffer.from(`{"kind":"${"x".repeat(300_000)}"}\n`),
      Buffer.from(JSON.stringify(product())),
    ]);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 777) }, (_, i) =>
      bytes.subarray(i * 777, i * 777 + 777),
    );
    const result = await run(Readable.from(chunks));
    expect(result).toMatchObject({ added: 2, refused: 2 });
    expect(result.refusals.map(({ line, message }) => [line, message])).toEqual([
      [2, "The line is not UTF-8."],
      [3, "The line is longer than 262144 bytes."],
    ]);
  });
});

describe("pictures", () => {
  const drawn = (width: number, hue: string) =>
    sharp({ create: { width, height: width, channels: 3, background: hue } })
      .png()
      .toBuffer();

  it("are kept by their content; another content is a change", async () => {
    const pictures = { "a.png": await drawn(40, "#123456") };
    const line = product({ image: "a.png" });
    expect(await run([line, product({ image: "a.png" })], { pictures })).toMatchObject({ added: 2 });
    expect((await sizes())?.images).toBe(1);
    expect(await run([line], { pictures })).toMatchObject({ unchanged: 1 });
    const before = (await detail(line.slug)).product_image;
    expect(await run([line], { pictures: { "a.png": await drawn(40, "#654321") } })).toMatchObject({
      changed: 1,
    });
    expect((await detail(line.slug)).product_image).not.toBe(before);
  });

  it.each([
    ["broken", async () => (await drawn(400, "#222222")).subarray(0, 300), /cannot be decoded/],
    ["no picture", async () => Buffer.from("hello"), /cannot be decoded/],
    [
      "another kind",
      async () =>
        sharp(await drawn(9, "#222222"))
          .gif()
          .toBuffer(),
      /neither PNG/,
    ],
    ["too large", async () => Buffer.alloc(5 * 1024 * 1024 + 1), /larger than 5 MB/],
    [
      "too many pixels",
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"/>'),
      /cannot be decoded/,
    ],
  ])("are refused when %s", async (_, bytes, message) => {
    const result = await run([product({ image: "b.png" })], { pictures: { "b.png": await bytes() } });
    expect(result).toMatchObject({ added: 0, refused: 1 });
    expect(result.refusals[0]).toMatchObject({ path: "image", message: expect.stringMatching(message) });
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
