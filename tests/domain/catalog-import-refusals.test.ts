import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { detail, importCategory, plan, product, importLines as run, sizes, text } from "./catalog-lines";

beforeAll(importCategory);
afterAll(closeDatabase);

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
    [
      "a price nobody can pay",
      product({ plans: [plan({ price: 0.49 })] }),
      "plans[0].price",
      /no less than 0.5/,
    ],
    [
      "a deal nobody can pay",
      product({ plans: [plan({ deal: { price: 0.01, ends_at: "P1D", quantity: 1 } })] }),
      "plans[0].deal.price",
      /no less than 0.5/,
    ],
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

  it("are the placeholder for a product without one, and for a seed of the first version", async () => {
    for (const line of [product(), product({ image: "emblem:tool" })]) {
      expect(await run([line])).toMatchObject({ added: 1 });
      expect((await detail(line.slug)).product_image).toMatch(/\?v=placeholder$/);
    }
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
