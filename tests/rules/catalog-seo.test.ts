import { describe, expect, it } from "vitest";
import type { ProductDetail, VipOption } from "@/lib/catalog/contract";
import type { ShownFields } from "@/lib/catalog/import/contract-fields";
import { categoriesJsonLd, collectionJsonLd, productSeo } from "@/lib/catalog/seo";
import { toOfferView } from "@/lib/payments/refunds/rules";
import type { PageUrls } from "@/lib/platform/pages/metadata";

const option = (overrides: Partial<VipOption> = {}): VipOption => ({
  vip_id: 5001,
  pass_type: "month",
  vip_type: "Month pass",
  duration_days: 30,
  price: 29,
  list_price: 36,
  list_price_kind: "previous",
  lowest_price_30d: 34,
  price_per_day: 0.97,
  stock: 9,
  stock_state: "in_stock",
  purchase_limit: null,
  region: ["worldwide"],
  releases_at: null,
  redeem_by: null,
  redeem_margin_days: 14,
  deal: null,
  activation: { url: null, steps: [] },
  includes: [],
  refund: { refundable: true, amount: 29, until: null, reason: "refundable", days: 15, right: null },
  ...overrides,
});

const shortPass = () => toOfferView({ durationDays: 7, paidCents: 2900, limitedTime: false }, new Date());

const product = (overrides: Partial<ProductDetail> = {}): ProductDetail => ({
  // Shown fields that structured data does not read.
  ...({} as Pick<ProductDetail, keyof typeof ShownFields>),
  ...option(),
  product_id: 1001,
  slug: "quillon-draft",
  product_name: "Quillon Draft",
  product_tagline: "Turns notes into a draft.",
  product_description: "For people who write long pieces. ".repeat(20),
  product_image: "/admin/product-image/1001?v=quillon-draft",
  maker: "Ostrel Works",
  seller: { handle: "ostrel-works", name: "Ostrel Works", legal_name: null, city: null },
  vendor_slug: "ostrel-works",
  rating: null,
  category: "writing",
  category_name: "Writing",
  language: "en",
  languages: ["en", "zh", "ja"],
  sort_num: 1,
  includes: [],
  vip_options: [option()],
  server_time: "2026-11-20T00:00:00.000Z",
  ...overrides,
});

const urls = (overrides: Partial<PageUrls> = {}): PageUrls => ({
  origin: "https://passlane.example",
  brand: "Passlane",
  locale: "en",
  surface: "desktop",
  ...overrides,
});
const labels = {
  home: "Home",
  passName: ({ pass_type }: VipOption) => `${pass_type} pass`,
  title: (name: string) => `${name} passes`,
};
const seo = (overrides: Partial<ProductDetail> = {}, urlOverrides: Partial<PageUrls> = {}) =>
  productSeo(product(overrides), urls(urlOverrides), labels);
const offer = (overrides: Partial<VipOption>) => {
  const group = JSON.parse(JSON.stringify(seo({ vip_options: [option(overrides)] }).jsonLd[0]));
  return group.hasVariant[0].offers;
};
const origin = "https://passlane.example";

describe("metadata of a product page", () => {
  it("names the desktop page of its language as canonical, and the translations", () => {
    const { alternates } = seo({ language: "zh" }, { locale: "zh" }).metadata;
    expect(alternates).toEqual({
      canonical: `${origin}/zh/product/quillon-draft`,
      languages: {
        en: `${origin}/product/quillon-draft`,
        "zh-Hans": `${origin}/zh/product/quillon-draft`,
        ja: `${origin}/ja/product/quillon-draft`,
        "x-default": `${origin}/product/quillon-draft`,
      },
      media: { "only screen and (max-width: 640px)": `${origin}/zh/mobile/product/quillon-draft` },
    });
  });

  it("on the mobile surface names the desktop canonical and mobile translations", () => {
    const { alternates } = seo({ languages: ["en", "ja"] }, { surface: "mobile" }).metadata;
    expect(alternates).toEqual({
      canonical: `${origin}/product/quillon-draft`,
      languages: {
        en: `${origin}/mobile/product/quillon-draft`,
        ja: `${origin}/ja/mobile/product/quillon-draft`,
        "x-default": `${origin}/mobile/product/quillon-draft`,
      },
    });
  });

  it("is reciprocal: all translations name the same set", () => {
    for (const surface of ["desktop", "mobile"] as const) {
      const sets = (["en", "zh", "ja"] as const).map(
        (locale) => seo({ language: locale }, { locale, surface }).metadata.alternates.languages,
      );
      expect(sets[1]).toEqual(sets[0]);
      expect(sets[2]).toEqual(sets[0]);
    }
  });

  it("of an untranslated page names the English canonical and no translations", () => {
    const { metadata } = seo({ language: "en", languages: ["en"] }, { locale: "ja" });
    expect(metadata.alternates).toEqual({ canonical: `${origin}/product/quillon-draft` });
  });

  it("has a title and a description short enough for a results page", () => {
    const { title, description, openGraph } = seo().metadata;
    expect(title.absolute).toBe("Quillon Draft passes · Passlane");
    expect(description.length).toBeLessThanOrEqual(155);
    expect(description).toMatch(/^Turns notes into a draft\. .*[a-z]…$/);
    expect(openGraph.images[0]?.url).toBe(`${origin}/share-image/en/product/quillon-draft`);
    const ja = seo(
      {
        language: "ja",
        product_tagline: "メモを下書きに。",
        product_description: "長い文章を書く人のための道具です。".repeat(20),
      },
      { locale: "ja" },
    );
    expect(ja.metadata.description.length).toBeLessThanOrEqual(78);
    expect(ja.metadata.description).toMatch(/^メモを下書きに。長い文章/);
  });
});

describe("JSON-LD of a product page", () => {
  it("is one product group with a variant and an offer for each plan", () => {
    const [group, breadcrumbs] = seo({
      vip_options: [option(), option({ vip_id: 5002, pass_type: "year", price: 219.5 })],
    }).jsonLd;
    const plain = JSON.parse(JSON.stringify(group));
    expect(plain).toMatchObject({
      "@type": "ProductGroup",
      productGroupID: "1001",
      url: `${origin}/product/quillon-draft`,
      brand: { name: "Ostrel Works" },
    });
    expect(plain.hasVariant).toHaveLength(2);
    expect(plain.hasVariant[1]).toMatchObject({
      "@type": "Product",
      sku: "1001-5002",
      name: "Quillon Draft: year pass",
      offers: {
        "@type": "Offer",
        url: `${origin}/product/quillon-draft?plan=5002`,
        price: "219.50",
        priceCurrency: "USD",
        availability: "https://schema.org/InStock",
      },
    });
    expect(JSON.stringify(plain)).not.toMatch(/AggregateOffer|aggregateRating|"review"/);
    expect(JSON.parse(JSON.stringify(breadcrumbs)).itemListElement).toMatchObject([
      { position: 1, name: "Home", item: `${origin}/` },
      { position: 2, name: "Quillon Draft" },
    ]);
  });

  it.each([
    ["in_stock", "InStock"],
    ["low", "LimitedAvailability"],
    ["pre_order", "PreOrder"],
    ["sold_out", "OutOfStock"],
  ] as const)("maps %s to %s", (stock_state, availability) => {
    expect(offer({ stock_state }).availability).toBe(`https://schema.org/${availability}`);
  });

  it("includes deal end, release date and compared price", () => {
    const ends_at = "2026-11-29T10:00:00.000Z";
    expect(offer({ deal: { ends_at, quantity: 9, items_left: 1 }, releases_at: ends_at })).toMatchObject({
      priceValidUntil: ends_at,
      availabilityStarts: ends_at,
      priceSpecification: { priceType: "https://schema.org/StrikethroughPrice", price: "36.00" },
    });
    const vendor = offer({ list_price_kind: "vendor", lowest_price_30d: null });
    expect(vendor.priceSpecification).toMatchObject({ priceType: "https://schema.org/SRP", price: "36.00" });
    expect(offer({ list_price: null })).not.toHaveProperty("priceSpecification");
    expect(offer({})).not.toHaveProperty("priceValidUntil");
  });

  it("derives the return policy from the refund decision", () => {
    expect(offer({}).hasMerchantReturnPolicy).toMatchObject({
      returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
      merchantReturnDays: 15,
    });
    const refund = shortPass();
    const policy = offer({ refund, region: ["JP", "SG"] }).hasMerchantReturnPolicy;
    expect(policy).toEqual({
      "@type": "MerchantReturnPolicy",
      applicableCountry: ["JP", "SG"],
      returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
    });
  });

  it("names the right of withdrawal where the law gives it and the shop's rule refuses", () => {
    const refund = shortPass();
    const policies = offer({ refund, region: ["worldwide"] }).hasMerchantReturnPolicy;
    expect(policies).toMatchObject([
      {
        applicableCountry: expect.not.arrayContaining(["GB"]),
        returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
      },
      {
        applicableCountry: expect.arrayContaining(["DE", "GB", "NO"]),
        returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
        merchantReturnDays: 14,
      },
    ]);
    expect(offer({ refund, region: ["DE"] }).hasMerchantReturnPolicy).toMatchObject({
      merchantReturnDays: 14,
    });
  });

  it("has no offer for a free plan", () => {
    expect(offer({ price: 0, list_price: null })).toBeUndefined();
  });
});

describe("JSON-LD of lists", () => {
  const page: PageUrls = { origin: "https://shop.example", brand: "Shop", locale: "zh", surface: "mobile" };

  it("names the products of a category or vendor by their desktop addresses, and the path to it", () => {
    const [collection, path] = collectionJsonLd(
      {
        ...{ path: "/category/writing", name: "写作", description: "写稿", total: 7 },
        items: [product()],
        parents: [{ path: "/categories", name: "类别" }],
      },
      page,
      "首页",
    );
    expect(collection).toMatchObject({
      "@type": "CollectionPage",
      url: "https://shop.example/zh/category/writing",
      inLanguage: "zh-Hans",
      mainEntity: {
        "@type": "ItemList",
        numberOfItems: 7,
        itemListElement: [{ position: 1, url: "https://shop.example/zh/product/quillon-draft" }],
      },
    });
    expect(path).toMatchObject({ itemListElement: [{ name: "首页" }, { name: "类别" }, { name: "写作" }] });
  });

  it("names the pages of all categories", () => {
    const categories = [{ category: "video", category_name: "视频", total: 2 }];
    const [list] = categoriesJsonLd(categories, page, { home: "首页", title: "类别", description: "全部" });
    expect(list).toMatchObject({
      mainEntity: {
        numberOfItems: 1,
        itemListElement: [{ name: "视频", url: "https://shop.example/zh/category/video" }],
      },
    });
  });
});
