import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { GET as productImage } from "@/app/api/v1/admin/product-image/[id]/route";
import { GET as categories } from "@/app/api/v1/product/categories/route";
import { GET as detail } from "@/app/api/v1/product/detail/[id]/route";
import { GET as discount } from "@/app/api/v1/product/discount/route";
import { GET as hot } from "@/app/api/v1/product/hot/route";
import { GET as list } from "@/app/api/v1/product/list/route";
import { POST as search } from "@/app/api/v1/product/search/route";
import { client, closeDatabase } from "@/db/client";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { CategoryList, ProductDetail, ProductList } from "@/lib/catalog/contract";
import { renderSquare } from "@/lib/platform/images/render";
import { IMAGE_WIDTHS } from "@/lib/platform/images/widths";
import { call } from "./call";

// The real renderer, counted.
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
  it("answer guests in the envelope, with the contract's shapes", async () => {
    const answers = {
      list: await call(list, "/product/list"),
      detail: await call(detail, `/product/detail/${product.id}`, { params: { id: String(product.id) } }),
      search: await call(search, "/product/search", { body: { keyword: "toolbox" } }),
      hot: await call(hot, "/product/hot"),
      discount: await call(discount, "/product/discount"),
      categories: await call(categories, "/product/categories"),
    };
    for (const { status, body } of Object.values(answers))
      expect({ status, code: body.code, state: body.state, success: body.success }).toEqual({
        status: 200,
        code: "200",
        state: 0,
        success: true,
      });
    for (const { body } of [answers.list, answers.search, answers.hot, answers.discount])
      expect(ProductList.parse(body.data).items).toMatchObject([
        { product_id: product.id, price: 7, list_price: 10 },
      ]);
    expect(ProductDetail.parse(answers.detail.body.data)).toMatchObject({
      slug: product.slug,
      stock: 3,
      stock_state: "low",
    });
    expect(CategoryList.parse(answers.categories.body.data).total).toBe(1);
  });

  it("follow target_lang, then Accept-Language", async () => {
    const name = async (query: string, accept?: string) => {
      const headers: Record<string, string> = accept ? { "accept-language": accept } : {};
      const { body } = await call(detail, "/product/detail/1", {
        query,
        headers,
        params: { id: String(product.id) },
      });
      return [body.data.product_name, body.data.language];
    };
    expect(await name("target_lang=zh", "ja")).toEqual(["工具箱", "zh"]);
    expect(await name("", "zh-CN,zh;q=0.9")).toEqual(["工具箱", "zh"]);
    expect(await name("target_lang=ja")).toEqual(["Toolbox", "en"]);
  });

  it("say 40401 for an unknown product and 40000 for what is no number", async () => {
    const code = async (id: string) =>
      (await call(detail, `/product/detail/${id}`, { params: { id } })).body.code;
    expect([await code("2147483647"), await code("0"), await code("abc"), await code("99999999999")]).toEqual(
      ["40401", "40000", "40000", "40000"],
    );
  });

  it("take filters as text and as JSON, the source fields, and nothing unknown", async () => {
    const filters =
      "sort=price_asc&vip_type=week&in_stock=true&price_from=1&price_to=20.5&price_per_day_to=3&page=1&size=5&source=x&campaign=y";
    expect((await call(list, "/product/list", { query: filters })).body.data.items).toHaveLength(1);
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
    for (const query of [
      "sort=best",
      "size=101",
      "size=0",
      "page=0",
      "page=1.5",
      "vip_type=hour",
      "price_from=-1",
      "price_to=abc",
      "in_stock=maybe",
      "colour=red",
    ])
      expect([query, (await call(list, "/product/list", { query })).body.code]).toEqual([query, "40000"]);
  });

  it("never fail on a keyword (200 random ones)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 220 }), async (keyword) => {
        const { status } = await call(search, "/product/search", { body: { keyword } });
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 200, seed: 20261120 },
    );
  });
});

describe("a product's picture", () => {
  const get = (query = "", headers: Record<string, string> = {}, id = product.id) =>
    productImage(
      new Request(`http://localhost:3000/admin/product-image/${id}${query && `?${query}`}`, { headers }),
      {
        params: Promise.resolve({ id: String(id) }),
      },
    );

  it("comes in the format that is accepted, in each width, and only in those", async () => {
    const formats: [string, string][] = [
      ["image/avif,image/webp,*/*", "avif"],
      ["image/webp", "webp"],
      ["image/avif;q=0,image/webp", "webp"],
      ["*/*", "png"],
    ];
    for (const [accept, format] of formats) {
      const response = await get("width=96", { accept });
      expect(response.headers.get("content-type")).toBe(`image/${format}`);
      expect(response.headers.get("vary")).toMatch(/Accept/);
      const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([width, height]).toEqual([96, 96]);
    }
    for (const width of IMAGE_WIDTHS)
      expect(
        (await sharp(Buffer.from(await (await get(`width=${width}`)).arrayBuffer())).metadata()).width,
      ).toBe(width);
    for (const width of ["97", "0", "-96", "1e9", "abc", "96.5"]) {
      const response = await get(`width=${width}`);
      expect([width, response.status, (await response.json()).code]).toEqual([width, 400, "40000"]);
    }
  });

  it("may be kept for ever only under its version, and answers 304 to its holder", async () => {
    const { body } = await call(detail, "/product/detail/1", { params: { id: String(product.id) } });
    const { searchParams } = new URL(body.data.product_image, "http://localhost");
    const kept = await get(`${searchParams}&width=96`);
    expect(kept.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await get("width=96")).headers.get("cache-control")).toBe("public, max-age=3600");
    expect((await get("width=96&v=guess")).headers.get("cache-control")).toBe("public, max-age=3600");
    const etag = kept.headers.get("etag") ?? "";
    const again = await get("width=96", { "if-none-match": `W/${etag}` });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    expect((await get("width=192", { "if-none-match": etag })).status).toBe(200);
    expect((await get("width=96", { "if-none-match": etag, accept: "image/webp" })).status).toBe(200);
  });

  it("of an unknown product is 40401", async () => {
    expect((await (await get("", {}, 2_147_483_647)).json()).code).toBe("40401");
  });

  it("that was uploaded is shown whole, a drawing without blur", async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#c2410c"/></svg>',
    );
    await client()`insert into product_images (hash, mime, bytes) values ('picture-1', 'image/svg+xml', ${svg})`;
    const { id } = await createProduct({ image: "picture-1" });
    const image = sharp(Buffer.from(await (await get("width=96", {}, id)).arrayBuffer()));
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const alphaAt = (y: number) => data[(y * info.width + 48) * info.channels + 3];
    expect([info.width, info.height, alphaAt(2), alphaAt(48), alphaAt(93)]).toEqual([96, 96, 0, 255, 0]);
  });

  it("is rendered once for 30 who ask at once, and not again afterwards", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await client()`insert into product_images (hash, mime, bytes) values ('picture-2', 'image/svg+xml', ${svg})`;
    const { id } = await createProduct({ image: "picture-2" });
    vi.mocked(renderSquare).mockClear();
    const ask = () => get("width=320", { accept: "image/avif" }, id);
    const answers = await Promise.all(Array.from({ length: 30 }, ask));
    answers.push(await ask());
    const bodies = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
    expect(bodies.every((body) => body.length > 0 && body.equals(bodies[0]!))).toBe(true);
    expect(renderSquare).toHaveBeenCalledTimes(1);
  });
});
