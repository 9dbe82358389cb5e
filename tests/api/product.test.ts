import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { GET as productImage } from "@/app/api/v1/admin/product-image/[id]/route";
import { GET as categories } from "@/app/api/v1/product/categories/route";
import { GET as detail } from "@/app/api/v1/product/detail/[id]/route";
import { GET as discount } from "@/app/api/v1/product/discount/route";
import { GET as hot } from "@/app/api/v1/product/hot/route";
import { GET as list } from "@/app/api/v1/product/list/route";
import { GET as refund } from "@/app/api/v1/product/refund/route";
import { POST as search } from "@/app/api/v1/product/search/route";
import { client, closeDatabase, transaction } from "@/db/client";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { CategoryList, ProductDetail, ProductList } from "@/lib/catalog/contract";
import { storePicture } from "@/lib/catalog/images/store-picture";
import { validatePicture } from "@/lib/catalog/images/validate-picture";
import { drawStoredPicturesJob } from "@/lib/catalog/jobs";
import type { RefundSheet } from "@/lib/payments/refunds/contract";
import { Lane } from "@/lib/platform/drawing-process";
import { renderSquare } from "@/lib/platform/images/render";
import { IMAGE_WIDTHS } from "@/lib/platform/images/widths";
import { rounds } from "@/tests/setup/rounds";
import { call } from "./call";

// The original renderer as a spy, so that its calls can be counted.
vi.mock("@/lib/platform/images/render", async (original) => {
  const real = await original<typeof import("@/lib/platform/images/render")>();
  return { ...real, renderSquare: vi.fn(real.renderSquare) };
});

afterAll(closeDatabase);

let product: CreatedProduct;
beforeAll(async () => {
  const zh = { name: "工具箱", tagline: "一件工具。" };
  product = await createProduct({
    texts: { en: { name: "Toolbox" }, zh },
    plans: [{ keys: 3, deal: { priceCents: 700 } }],
  });
});

describe("product calls", () => {
  it("return the contract's fields in the envelope to guests", async () => {
    const responses = {
      list: await call(list, "/product/list"),
      detail: await call(detail, `/product/detail/${product.id}`, { params: { id: String(product.id) } }),
      search: await call(search, "/product/search", { body: { keyword: "toolbox" } }),
      hot: await call(hot, "/product/hot"),
      discount: await call(discount, "/product/discount"),
      categories: await call(categories, "/product/categories"),
    };
    for (const { status, body } of Object.values(responses))
      expect({ status, code: body.code, state: body.state, success: body.success }).toEqual({
        status: 200,
        code: "200",
        state: 0,
        success: true,
      });
    for (const { body } of [responses.list, responses.search, responses.hot, responses.discount])
      expect(ProductList.parse(body.data).items).toMatchObject([
        { product_id: product.id, price: 7, list_price: 10 },
      ]);
    for (const { body } of [responses.list, responses.search, responses.hot, responses.discount])
      for (const item of body.data.items) {
        expect(item.product_description).toBe(responses.detail.body.data.product_description);
        expect(item.vip_type).toBe(responses.detail.body.data.vip_options[0].vip_type);
      }
    expect(ProductDetail.parse(responses.detail.body.data)).toMatchObject({
      slug: product.slug,
      stock: 3,
      stock_state: "low",
    });
    expect(CategoryList.parse(responses.categories.body.data).total).toBe(1);
  });

  it("follow target_lang, then Accept-Language", async () => {
    const getName = async (query: string, accept?: string) => {
      const headers: Record<string, string> = accept ? { "accept-language": accept } : {};
      const { body } = await call(detail, "/product/detail/1", {
        query,
        headers,
        params: { id: String(product.id) },
      });
      return [body.data.product_name, body.data.language];
    };
    expect(await getName("target_lang=zh", "ja")).toEqual(["工具箱", "zh"]);
    expect(await getName("", "zh-CN,zh;q=0.9")).toEqual(["工具箱", "zh"]);
    expect(await getName("target_lang=ja")).toEqual(["Toolbox", "en"]);
  });

  it("respond 40401 to an unknown product and 40000 to an invalid number", async () => {
    const getCode = async (id: string) =>
      (await call(detail, `/product/detail/${id}`, { params: { id } })).body.code;
    expect([
      await getCode("2147483647"),
      await getCode("0"),
      await getCode("abc"),
      await getCode("99999999999"),
    ]).toEqual(["40401", "40000", "40000", "40000"]);
  });

  it("accept filters (sort, page …) as text and as JSON with attribution fields, and reject unknown ones", async () => {
    const filters =
      "sort=price_asc&vip_type=week&in_stock=true&price_from=1&price_to=20.5&price_per_day_to=3&page=1&size=5&source=x&campaign=y";
    expect((await call(list, "/product/list", { query: filters })).body.data.items).toHaveLength(1);
    for (const filter of ["pass_type=week", "vip_type=Week%20pass", "vip_type=%E5%91%A8%E5%8D%A1"])
      expect((await call(list, "/product/list", { query: filter })).body.data.items, filter).toHaveLength(1);
    expect((await call(list, "/product/list", { query: "vip_type=Year%20pass" })).body.data.items).toEqual(
      [],
    );
    const body = {
      keyword: "toolbox",
      page: 1,
      size: 5,
      sort: "recommend",
      price_from: 1,
      price_to: 20,
      in_stock: true,
      target_lang: "ja",
      medium: "z",
    };
    expect((await call(search, "/product/search", { body })).body.data.items).toHaveLength(1);
    // Read as a thousand, which no pass costs; read as one dollar, it would find the pass.
    for (const query of ["price_from=1,000", "price_from=%241,000", "price_from=1.000,00"])
      expect((await call(list, "/product/list", { query })).body.data.items, query).toEqual([]);
    for (const query of [
      "sort=best",
      "size=101",
      "size=0",
      "page=0",
      "page=1.5",
      "vip_type=hour",
      "pass_type=Week%20pass",
      "price_from=-1",
      "price_to=abc",
      "price_to=1,00,000",
      "page=1,000",
      "size=%EF%BC%91",
      "in_stock=maybe",
      "colour=red",
    ])
      expect([query, (await call(list, "/product/list", { query })).body.code]).toEqual([query, "40000"]);
  });

  it("never fail on a keyword (random texts)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 220 }), async (keyword) => {
        const { status } = await call(search, "/product/search", { body: { keyword } });
        expect([200, 400]).toContain(status);
      }),
      { numRuns: rounds(200, 25), seed: 20261120 },
    );
  });
});

describe("product image", () => {
  const getImage = (query = "", headers: Record<string, string> = {}, id = product.id) =>
    productImage(
      new Request(`http://localhost:3000/admin/product-image/${id}${query && `?${query}`}`, { headers }),
      {
        params: Promise.resolve({ id: String(id) }),
      },
    );

  it("has an accepted format and each of the served widths only", async () => {
    const formats: [string, string][] = [
      ["image/avif,image/webp,*/*", "avif"],
      ["image/webp", "webp"],
      ["image/avif;q=0,image/webp", "webp"],
      ["*/*", "png"],
    ];
    for (const [accept, format] of formats) {
      const response = await getImage("width=96", { accept });
      expect(response.headers.get("content-type")).toBe(`image/${format}`);
      expect(response.headers.get("vary")).toMatch(/Accept/);
      const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([width, height]).toEqual([96, 96]);
    }
    for (const width of IMAGE_WIDTHS)
      expect(
        (await sharp(Buffer.from(await (await getImage(`width=${width}`)).arrayBuffer())).metadata()).width,
      ).toBe(width);
    for (const width of ["97", "0", "-96", "1e9", "abc", "96.5"]) {
      const response = await getImage(`width=${width}`);
      expect([width, response.status, (await response.json()).code]).toEqual([width, 400, "40000"]);
    }
  });

  it("is immutable only at its versioned URL, and responds 304 to a matching ETag", async () => {
    const { body } = await call(detail, "/product/detail/1", { params: { id: String(product.id) } });
    const { searchParams } = new URL(body.data.product_image, "http://localhost");
    const versioned = await getImage(`${searchParams}&width=96`);
    expect(versioned.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await getImage("width=96")).headers.get("cache-control")).toBe("public, max-age=3600");
    expect((await getImage("width=96&v=guess")).headers.get("cache-control")).toBe("public, max-age=3600");
    const etag = versioned.headers.get("etag") ?? "";
    const again = await getImage("width=96", { "if-none-match": `W/${etag}` });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    expect((await getImage("width=192", { "if-none-match": etag })).status).toBe(200);
    expect((await getImage("width=96", { "if-none-match": etag, accept: "image/webp" })).status).toBe(200);
  });

  it("of an unknown product responds 40401", async () => {
    expect((await (await getImage("", {}, 2_147_483_647)).json()).code).toBe("40401");
  });

  it("made from an uploaded drawing is shown whole and sharp", async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#c2410c"/></svg>',
    );
    const { hash, ...drawing } = await validatePicture(svg, { patient: true });
    await transaction((tx) => storePicture(tx, { hash, ...drawing }));
    const { id } = await createProduct({ image: hash });
    const image = sharp(Buffer.from(await (await getImage("width=96", {}, id)).arrayBuffer()));
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const alphaAt = (y: number) => data[(y * info.width + 48) * info.channels + 3];
    expect([info.width, info.height, alphaAt(2), alphaAt(48), alphaAt(93)]).toEqual([96, 96, 0, 255, 0]);
  });

  it("made from a drawing of an earlier release is the placeholder until a job has rendered it, or for good if the drawing is refused", async () => {
    const svg = (content: string) =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30">${content}</svg>`);
    await client()`insert into product_images (hash, mime, bytes) values
      ('former-1', 'image/svg+xml', ${svg('<rect width="30" height="30" fill="#c2410c"/>')}),
      ('former-2', 'image/svg+xml', ${svg('<pattern id="a"/>')})`;
    const drawn = (await createProduct({ image: "former-1" })).id;
    const refused = (await createProduct({ image: "former-2" })).id;
    const show = async (id: number, image: string) => {
      const response = await getImage(`width=96&v=${image}`, {}, id);
      return {
        cache: response.headers.get("cache-control"),
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    };
    const placeholder = await show((await createProduct({ image: "placeholder" })).id, "placeholder");
    const draws = vi.spyOn(Lane.prototype, "draw");
    expect(await show(drawn, "former-1")).toEqual({ ...placeholder, cache: "no-cache" });
    expect(draws).not.toHaveBeenCalled();
    draws.mockRestore();
    await drawStoredPicturesJob.run(undefined);
    const shown = await show(drawn, "former-1");
    expect(shown.bytes).not.toEqual(placeholder.bytes);
    expect(shown.cache).toBe("public, max-age=31536000, immutable");
    expect(await show(refused, "former-2")).toEqual({ ...placeholder, cache: "no-cache" });
    const left = await client()`select from product_images where mime = 'image/svg+xml' and drawn is null`;
    expect(left).toHaveLength(0);
  });

  it("is rendered once for 30 concurrent requests and a later one", async () => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#36a" } })
      .png()
      .toBuffer();
    await client()`insert into product_images (hash, mime, bytes) values ('picture-2', 'image/png', ${png})`;
    const { id } = await createProduct({ image: "picture-2" });
    vi.mocked(renderSquare).mockClear();
    const getLargeImage = () => getImage("width=320", { accept: "image/avif" }, id);
    const responses = await Promise.all(Array.from({ length: 30 }, getLargeImage));
    responses.push(await getLargeImage());
    const bodies = await Promise.all(
      responses.map(async (response) => Buffer.from(await response.arrayBuffer())),
    );
    expect(bodies.every((body) => body.length > 0 && body.equals(bodies[0]!))).toBe(true);
    expect(renderSquare).toHaveBeenCalledTimes(1);
  });
});

describe("the label of a pass", () => {
  it.each([
    ["en", "Week pass", "3-day pass"],
    ["zh", "周卡", "3 天卡"],
    ["ja", "1週間パス", "3日間パス"],
  ])("is its name in %s, beside the code", async (target_lang, week, days) => {
    const { id } = await createProduct({
      plans: [
        { type: "week", keys: 1, priceCents: 900 },
        { type: "day", days: 3, keys: 1, priceCents: 500 },
      ],
    });
    const { body } = await call(detail, `/product/detail/${id}`, {
      params: { id: String(id) },
      query: `target_lang=${target_lang}`,
    });
    const options: { pass_type: string; vip_type: string }[] = body.data.vip_options;
    expect(options.map(({ pass_type, vip_type }) => [pass_type, vip_type])).toEqual([
      ["week", week],
      ["day", days],
    ]);
    expect(body.data).toMatchObject({ pass_type: "day", vip_type: days });
  });
});

it("a plan's refund sheet has its sentence and bars in the reader's language, and of an unknown plan responds 40401", async () => {
  const { plans } = await createProduct({ plans: [{ type: "week" }, { type: "month" }] });
  const read = async (vip_id: number, lang: string) =>
    (await call(refund, "/product/refund", { query: `vip_id=${vip_id}&target_lang=${lang}` })).body;
  const [week, month] = await Promise.all(plans.map(({ id }) => read(id, "ja")));
  expect(week!.data).toMatchObject({ title: "返金について", all: 15, notes: expect.any(Array) });
  expect((week!.data as RefundSheet).bars.map(({ days }) => days)).toEqual([14, 0]);
  expect((month!.data as RefundSheet).bars.map(({ days }) => days)).toEqual([15]);
  expect((await read(2_000_000_000, "en")).code).toBe("40401");
});
