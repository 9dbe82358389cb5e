import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import {
  countCatalogRows,
  getDetail,
  importCategory,
  importLines,
  planRecord,
  productRecord,
  productText,
} from "@/tests/setup/catalog-import";

beforeAll(importCategory);
afterAll(closeDatabase);

describe("rejected lines", () => {
  const chineseText = {
    name: "工具",
    tagline: "一件工具。",
    description: "这是一件工具。",
    includes: ["一件"],
  };
  const cases: [string, object | string, string, RegExp][] = [
    ["no JSON", "{", "", /not JSON/],
    ["another kind", { kind: "shop" }, "kind", /category.*product/],
    ["an unknown field", productRecord({ colour: "red" }), "", /colour/],
    ["no English", productRecord({ texts: { zh: chineseText } }), "texts.en", /expected object/],
    ["an unknown category", productRecord({ category: "nowhere" }), "category", /no category nowhere/],
    [
      "an address with a user name",
      productRecord({
        activation: { url: "https://known.example@other.example/start", steps: { en: ["Enter the code."] } },
      }),
      "activation.url",
      /user name/,
    ],
    [
      "an address with a password",
      productRecord({ activation: { url: "https://a:b@other.example", steps: { en: ["Enter the code."] } } }),
      "activation.url",
      /user name/,
    ],
    [
      "an address with a user name after backslashes",
      productRecord({ activation: { url: "https:\\\\a@other.example", steps: { en: ["Enter the code."] } } }),
      "activation.url",
      /user name/,
    ],
    ["a slug with a capital", productRecord({ slug: "Tool" }), "slug", /lower-case/],
    ["a reserved slug", productRecord({ slug: "detail" }), "slug", /route/],
    ["no plan", productRecord({ plans: [] }), "plans", /at least one/],
    ["a plan twice", productRecord({ plans: [planRecord(), planRecord()] }), "plans[1]", /named twice/],
    ["a negative price", productRecord({ plans: [planRecord({ price: -1 })] }), "plans[0].price", />=0/],
    [
      "a deal price below the minimum",
      productRecord({ plans: [planRecord({ deal: { price: 0.01, ends_at: "P1D", quantity: 1 } })] }),
      "plans[0].deal.price",
      /at least 0.5 USD/,
    ],
    [
      "a third decimal",
      productRecord({ plans: [planRecord({ price: 1.005 })] }),
      "plans[0].price",
      /two decimals/,
    ],
    [
      "a list price below the price",
      productRecord({ plans: [planRecord({ list_price: 9 })] }),
      "plans[0].list_price",
      /above/,
    ],
    [
      "a free pass for many",
      productRecord({ plans: [planRecord({ price: 0 })] }),
      "plans[0].purchase_limit",
      /must be 1/,
    ],
    [
      "fewer days to redeem than a week pass lasts",
      productRecord({ plans: [planRecord({ type: "week", redeem_margin_days: 6 })] }),
      "plans[0].redeem_margin_days",
      /at least 7 days/,
    ],
    [
      "no day to redeem",
      productRecord({ plans: [planRecord({ redeem_margin_days: 0 })] }),
      "plans[0].redeem_margin_days",
      />=1/,
    ],
    [
      "a lifetime with days",
      productRecord({ plans: [planRecord({ type: "lifetime", duration_days: 7 })] }),
      "plans[0].duration_days",
      /no number of days/,
    ],
    [
      "a pre-order without a date",
      productRecord({ plans: [planRecord({ availability: "pre_order" })] }),
      "plans[0].releases_on",
      /date/,
    ],
    [
      "a deal that costs more",
      productRecord({ plans: [planRecord({ deal: { price: 10, ends_at: "P1D", quantity: 1 } })] }),
      "plans[0].deal.price",
      /below/,
    ],
    [
      "a deal without an end",
      productRecord({ plans: [planRecord({ deal: { price: 1, ends_at: "soon", quantity: 1 } })] }),
      "plans[0].deal.ends_at",
      /duration/,
    ],
    [
      "Chinese without Chinese",
      productRecord({ texts: { en: productText(), zh: productText() } }),
      "texts.zh.tagline",
      /no Chinese/,
    ],
    [
      "Japanese without Japanese",
      productRecord({ texts: { en: productText(), ja: productText() } }),
      "texts.ja.tagline",
      /kana/,
    ],
    [
      "a placeholder {x}",
      productRecord({ texts: { en: productText(), zh: { ...chineseText, tagline: "一件{name}。" } } }),
      "texts.zh.tagline",
      /placeholder.*\{name\}/,
    ],
    [
      "a placeholder [[x]]",
      productRecord({ texts: { en: productText(), zh: { ...chineseText, name: "工具[[1]]" } } }),
      "texts.zh.name",
      /\[\[1\]\]/,
    ],
    [
      "a placeholder %s",
      productRecord({ texts: { en: productText(), ja: { ...chineseText, includes: ["%sを一つ"] } } }),
      "texts.ja.includes",
      /%s/,
    ],
    [
      "a name with an invisible letter",
      productRecord({ texts: { en: productText({ name: "To\u200bol" }) } }),
      "texts.en.name",
      /visible letters/,
    ],
    [
      "a name of two lines",
      productRecord({ texts: { en: productText({ name: "Tool\nFree" }) } }),
      "texts.en.name",
      /one line/,
    ],
    ["the shop as vendor", productRecord({ vendor: "P\u0430sslane" }), "vendor", /the shop/],
    ["a vendor of two alphabets", productRecord({ vendor: "\u0410cme Tools" }), "vendor", /alphabet/],
    ["a missing picture", productRecord({ image: "none.png" }), "image", /cannot be read/],
    [
      "a link that is not https",
      productRecord({ activation: { url: "javascript:alert(1)", steps: { en: ["x"] } } }),
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

  it.each(cases)("are reported with path and message: %s", async (_, line, path, message) => {
    const before = await countCatalogRows();
    const validLine = productRecord();
    const result = await importLines([line, validLine]);
    expect(result).toMatchObject({ added: 1, refused: 1 });
    expect(result.refusals.map((refusal) => refusal.path)).toContain(path);
    expect(result.refusals.every((refusal) => refusal.line === 1)).toBe(true);
    expect(result.refusals.map((refusal) => refusal.message).join()).toMatch(message);
    expect((await countCatalogRows())?.products).toBe(before?.products + 1);
  });

  it("include a vendor whose name imitates a merchant with other letters, but not its other spellings", async () => {
    const [first, other] = [
      productRecord({ vendor: "Ostrel Works" }),
      productRecord({ vendor: "OSTREL  works" }),
    ];
    expect(await importLines([first, other])).toMatchObject({ added: 2, refused: 0 });
    const lookalike = await importLines([productRecord({ vendor: "0strel Works" })]);
    expect(lookalike.refusals).toMatchObject([{ path: "vendor", error: "name_taken" }]);
  });

  it("name the first line of a duplicate slug", async () => {
    const line = productRecord();
    const result = await importLines([line, "", { ...line, sort_num: 5 }]);
    expect(result).toMatchObject({ added: 1, refused: 1 });
    expect(result.refusals).toMatchObject([
      { line: 3, path: "slug", message: `Line 1 has the same slug: ${line.slug}.` },
    ]);
  });

  it("do not stop the import on invalid UTF-8, an overlong line or a byte order mark", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`\uFEFF${JSON.stringify(productRecord())}\r\n`),
      Buffer.from([0x22, 0xff, 0xfe, 0x0a]),
      Buffer.from(`{"kind":"${"x".repeat(300_000)}"}\n`),
      Buffer.from(JSON.stringify(productRecord())),
    ]);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 777) }, (_, i) =>
      bytes.subarray(i * 777, i * 777 + 777),
    );
    const result = await importLines(Readable.from(chunks));
    expect(result).toMatchObject({ added: 2, refused: 2 });
    expect(result.refusals.map(({ line, message }) => [line, message])).toEqual([
      [2, "The line is not UTF-8."],
      [3, "The line is longer than 262,144 bytes."],
    ]);
  });
});

describe("pictures", () => {
  const drawPicture = (width: number, hue: string) =>
    sharp({ create: { width, height: width, channels: 3, background: hue } })
      .png()
      .toBuffer();

  it("are stored by content; a changed picture changes the product", async () => {
    const pictures = { "a.png": await drawPicture(40, "#123456") };
    const line = productRecord({ image: "a.png" });
    expect(await importLines([line, productRecord({ image: "a.png" })], { pictures })).toMatchObject({
      added: 2,
    });
    expect((await countCatalogRows())?.images).toBe(1);
    expect(await importLines([line], { pictures })).toMatchObject({ unchanged: 1 });
    const before = (await getDetail(line.slug)).product_image;
    expect(
      await importLines([line], { pictures: { "a.png": await drawPicture(40, "#654321") } }),
    ).toMatchObject({
      changed: 1,
    });
    expect((await getDetail(line.slug)).product_image).not.toBe(before);
  });

  it("are refused with the reason, and a valid drawing is rendered", async () => {
    const svg = (content: string, size = 40) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${content}</svg>`;
    const gif = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#36a" } })
      .gif()
      .toBuffer();
    const files: [Buffer | string, string | RegExp][] = [
      [svg("", 99_999), "The picture has too many pixels: at most 40 million."],
      [`<!DOCTYPE svg [<!ENTITY a "a">]>${svg("<text>&a;</text>")}`, /cannot draw: !DOCTYPE/],
      [svg('<pattern id="a"/>'), /cannot draw: pattern/],
      [svg("<g>".repeat(60) + "</g>".repeat(60)), /takes too much work/],
      [svg("<g>"), /broken or incomplete/],
      ["a letter", /not a picture/],
      [gif, /not a picture/],
    ];
    const pictures = Object.fromEntries(files.map(([bytes], n) => [`${n}.svg`, Buffer.from(bytes)]));
    pictures["right.svg"] = Buffer.from(svg('<rect width="40" height="40"/>'));
    const lines = Object.keys(pictures).map((image) => productRecord({ image }));
    const result = await importLines(lines, { pictures });
    expect(result).toMatchObject({ added: 1, refused: files.length });
    expect(result.refusals).toEqual(
      files.map(([, message], n) =>
        expect.objectContaining({
          line: n + 1,
          path: "image",
          message: typeof message === "string" ? message : expect.stringMatching(message),
        }),
      ),
    );
    const [stored] =
      await client()`select i.mime, i.drawn from product_images i join products p on p.image = i.hash
      where p.slug = ${lines.at(-1)!.slug}`;
    expect(stored!.mime).toBe("image/svg+xml");
    expect(await sharp(stored!.drawn).metadata()).toMatchObject({ format: "webp", width: 960, height: 960 });
  });

  it("default to the placeholder, even for `emblem:` images of old seeds", async () => {
    for (const line of [productRecord(), productRecord({ image: "emblem:tool" })]) {
      expect(await importLines([line])).toMatchObject({ added: 1 });
      expect((await getDetail(line.slug)).product_image).toMatch(/\?v=placeholder$/);
    }
  });

  it.each([
    ["broken", async () => (await drawPicture(400, "#222222")).subarray(0, 300), /broken or incomplete/],
    ["no picture", async () => Buffer.from("hello"), /not a picture. Use PNG/],
    [
      "another kind",
      async () =>
        sharp(await drawPicture(9, "#222222"))
          .gif()
          .toBuffer(),
      /not a picture. Use PNG/,
    ],
    ["too large", async () => Buffer.alloc(5 * 1024 * 1024 + 1), /larger than 5 MB/],
    [
      "too many pixels",
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"/>'),
      /too many pixels: at most 40 million/,
    ],
  ])("are rejected when %s", async (_, bytes, message) => {
    const result = await importLines([productRecord({ image: "b.png" })], {
      pictures: { "b.png": await bytes() },
    });
    expect(result).toMatchObject({ added: 0, refused: 1 });
    expect(result.refusals[0]).toMatchObject({ path: "image", message: expect.stringMatching(message) });
  });
});
