import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createCategory, createProduct } from "@/db/factories/catalog";
import { setReviews } from "@/db/factories/reviews";
import { streamCollectionPages } from "@/lib/catalog/feeds/stream-sitemaps";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { findCategoryPage } from "@/lib/catalog/listing/find-category-page";
import { findVendorPage } from "@/lib/catalog/listing/list-product-range";
import { listProductsBySlug } from "@/lib/catalog/listing/list-products";
import { findProductPage } from "@/lib/catalog/product/find-product-page";
import { listComparedPasses } from "@/lib/catalog/product/list-compared-passes";
import { importLines, productRecord } from "../setup/catalog-import";
import { withTags } from "../setup/page-tags";

afterAll(closeDatabase);

const { list } = parseListQuery({});
const vendorSlug = async (vendor: string) => {
  const { slug } = await createProduct({ vendor });
  return (await findProductPage({ slug, locale: "en" }))!.vendor_slug;
};

describe("a category page", () => {
  it("has its text in the reader's language or English, its products and the other categories", async () => {
    const names = { en: "Sewing", ja: "裁縫" };
    await importLines([
      {
        kind: "category",
        slug: "sewing",
        sort_num: 1,
        hue: 9,
        names,
        texts: { en: "Sew.", ja: "縫います。" },
      },
    ]);
    const other = await createCategory({ slug: "weaving" });
    await createProduct({ category: other });
    const products = [
      await createProduct({ category: "sewing", sortNum: 2 }),
      await createProduct({ category: "sewing", sortNum: 1 }),
    ];
    const page = (await findCategoryPage("sewing", list, "ja"))!;
    expect(page.category).toMatchObject({ category_name: "裁縫", text: "縫います。", total: 2, hue: 9 });
    expect(page.category.images).toHaveLength(2);
    expect(page.products.items.map(({ slug }) => slug)).toEqual(products.map(({ slug }) => slug));
    expect(page.others.map(({ category }) => category)).toContain("weaving");
    expect((await findCategoryPage("sewing", list, "zh"))!.category).toMatchObject({
      category_name: "Sewing",
      text: "Sew.",
    });
  });

  it("does not exist for an unknown or empty category, and changes with its products", async () => {
    await createCategory({ slug: "empty" });
    expect(await findCategoryPage("empty", list, "en")).toBeNull();
    expect(await findCategoryPage("no' or 1=1", list, "en")).toBeNull();
    const category = await createCategory({ slug: "tagged" });
    await createProduct({ category });
    const tags = new Set<string>();
    await withTags(tags, () => findCategoryPage(category, list, "en"));
    expect([...tags]).toEqual(expect.arrayContaining(["list", "list:tagged"]));
  });

  it("sorts and pages its products", async () => {
    const category = await createCategory({ slug: "paged" });
    for (const priceCents of [300, 100, 200])
      await createProduct({ category, plans: [{ priceCents, keys: 1 }] });
    const page = await findCategoryPage(category, { sort: "price_asc", page: 2, size: 2 }, "en");
    expect(page!.products).toMatchObject({ total: 3, items: [{ price: 3 }] });
  });
});

describe("a vendor page", () => {
  it("has a unique address of Latin letters and digits for every name", async () => {
    expect(await vendorSlug("Cadrell & Daughters")).toBe("cadrell-daughters");
    expect(await vendorSlug("  Café O'Neil 3D!  ")).toBe("cafe-oneil-3d");
    const [tokyo, osaka] = [await vendorSlug("東京ソフト"), await vendorSlug("大阪ソフト ABC")];
    expect(tokyo).toMatch(/^[0-9a-f]{8}$/);
    expect(osaka).toMatch(/^abc-[0-9a-f]{8}$/);
    expect(await vendorSlug("&&&")).toMatch(/^[0-9a-f]{8}$/);
    expect(await vendorSlug("x".repeat(80))).toHaveLength(60);
  });

  it("lists the vendor's products and their categories, and does not exist without one", async () => {
    const category = await createCategory({ slug: "vendor-tools", names: { en: "Tools", zh: "工具" } });
    const { slug } = await createProduct({ vendor: "Page Vendor", category });
    await createProduct({ vendor: "Page Vendor", category, listed: false });
    await createProduct({ vendor: "Hidden Vendor", listed: false });
    const page = (await findVendorPage("page-vendor", list, "zh"))!;
    expect(page).toMatchObject({ vendor: "Page Vendor", categories: [{ category_name: "工具", total: 1 }] });
    expect(page.products.items.map((item) => item.slug)).toEqual([slug]);
    expect(page.products.total).toBe(1);
    for (const unknown of ["hidden-vendor", "nobody", "a' or 1=1"])
      expect(await findVendorPage(unknown, list, "en")).toBeNull();
  });
});

it("the sitemap lists categories and vendors that have products on sale", async () => {
  const category = await createCategory({ slug: "mapped" });
  await createCategory({ slug: "unmapped" });
  await createProduct({ category, vendor: "Mapped Vendor" });
  await createProduct({ vendor: "Unmapped Vendor", listed: false });
  const paths: string[] = [];
  for await (const { path } of streamCollectionPages()) paths.push(path);
  expect(paths).toEqual(expect.arrayContaining(["/category/mapped", "/vendor/mapped-vendor"]));
  expect(paths).not.toContain("/category/unmapped");
  expect(paths).not.toContain("/vendor/unmapped-vendor");
  expect(new Set(paths).size).toBe(paths.length);
});

it("a comparison has the named passes in their order, without those that are not on sale", async () => {
  const first = await createProduct({
    plans: [{ keys: 1 }, { type: "day", keys: 1 }, { type: "year", listed: false }],
  });
  const second = await createProduct({ texts: { en: {}, ja: { name: "二番" } } });
  const ids = [second.plans[0]!.id, first.plans[1]!.id, first.plans[2]!.id, 999_999_999, first.plans[0]!.id];
  const passes = await listComparedPasses(ids, "ja");
  expect(passes.map(({ plan }) => plan.vip_id)).toEqual([ids[0], ids[1], ids[4]]);
  expect(passes[0]!.product).toMatchObject({ product_name: "二番", language: "ja" });
  expect(passes[1]!.product).toMatchObject({ slug: first.slug, language: "en" });
  expect(await listComparedPasses([], "en")).toEqual([]);
});

it("lists show the average and number of published reviews, and nothing without any", async () => {
  const { slug } = await createProduct();
  const read = async () => (await listProductsBySlug([slug], "en")).items[0]!.rating;
  expect(await read()).toBeNull();
  await setReviews(slug, [5, 4, 4]);
  expect(await read()).toEqual({ average: 4.3, count: 3 });
  await client()`update reviews set state = 'hidden' where rating = 4
    and product_id = (select id from products where slug = ${slug})`;
  expect(await read()).toEqual({ average: 5, count: 1 });
  expect((await findProductPage({ slug, locale: "en" }))!.rating).toEqual({ average: 5, count: 1 });
});

it("the import refuses a category's text that is not a translation", async () => {
  const line = { kind: "category", slug: "bad-text", sort_num: 1, hue: 1, names: { en: "Bad" } };
  const { refusals } = await importLines([
    { ...line, texts: { en: "Text.", zh: "No Chinese." } },
    productRecord(),
  ]);
  expect(refusals[0]).toMatchObject({ line: 1, path: expect.stringContaining("texts.zh") });
});
