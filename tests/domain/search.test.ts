import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createCategory, createProduct } from "@/db/factories/catalog";
import { createMerchant } from "@/db/factories/merchants";
import { SearchProductsInput } from "@/lib/catalog/contract";
import { SearchResults, Suggestions } from "@/lib/catalog/search/contract";
import { indexProducts } from "@/lib/catalog/search/index-products";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { suggestSearch } from "@/lib/catalog/search/suggest-search";
import type { Locale } from "@/lib/platform/i18n/locales";
import { importLines, productRecord, productText } from "@/tests/setup/catalog-import";
import { isComplete } from "@/tests/setup/rounds";

afterAll(closeDatabase);

const search = async (keyword: string, input: object = {}, locale: Locale = "en") =>
  SearchResults.parse(
    await searchProducts(SearchProductsInput.parse({ keyword, size: 100, ...input }), locale),
  );
/** Indexes products that were written without the import. */
const indexBySlug = async (slug: string) =>
  indexProducts(db, {
    products: (await client()<{ id: number }[]>`select id from products where slug like ${slug}`).map(
      ({ id }) => id,
    ),
  });
/** Copies the product `pattern` to the slugs `<slug>-1` …, each with a week pass that costs a cent more than the one before. */
async function createManyProducts({ slug, name, count }: { slug: string; name: string; count: number }) {
  await client()`
    with made as (
      insert into products (slug, vendor, category, image, sort_num, activation, import_hash)
      select ${slug}::text || '-' || n, vendor, category, image, n, activation, 'x'
      from (select * from products where slug = 'pattern') source, generate_series(1, ${count}::int) n
      returning id, slug, sort_num), texts as (
      insert into product_texts (product_id, locale, name, tagline, description, includes)
      select id, 'en', ${name}::text || ' ' || slug, 'One of many.', 'One.', '[]' from made)
    insert into plans (product_id, type, duration_days, price_cents, availability, region, position)
    select id, 'week', 7, 1000 + sort_num, 'in_stock', '["worldwide"]', 0 from made`;
  await indexBySlug(`${slug}-%`);
}
/** The products that have all words; none when the results are only the closest. */
const slugs = async (keyword: string, input: object = {}, locale: Locale = "en") => {
  const { match, items } = await search(keyword, input, locale);
  return match === "closest" ? [] : items.map(({ slug }) => slug);
};

describe("product search and suggestions", () => {
  beforeAll(async () => {
    const sound = await createCategory({ slug: "sound", names: { en: "Sound", zh: "声音", ja: "音声" } });
    await createProduct({
      slug: "quillon",
      sortNum: 50,
      category: sound,
      vendor: "Ostrel Works",
      texts: {
        en: {
          name: "Quillon Draft",
          tagline: "Turns scattered notes into captions.",
          description: "Transcription of meetings.",
        },
        zh: { name: "鹅毛笔写稿", tagline: "为视频自动生成字幕。", description: "把零散的笔记整理成初稿。" },
        ja: {
          name: "キロン下書き",
          tagline: "文字起こしと要約。",
          description: "散らばったメモをまとめます。",
        },
      },
      plans: [
        { type: "week", priceCents: 900, keys: 2 },
        { type: "day", days: 3, priceCents: 500, keys: 2 },
      ],
    });
    await createProduct({ slug: "muse", sortNum: 1, texts: { en: { name: "Muse", tagline: "Music." } } });
    await createProduct({
      slug: "musette",
      sortNum: 90,
      texts: { en: { name: "Musette", tagline: "Bags." } },
    });
    await createProduct({
      slug: "bag",
      sortNum: 99,
      texts: { en: { name: "Bag", tagline: "Holds a muse." } },
    });
  });

  const typos: [string, string | null][] = [
    ["quilon", "quillon"], // missing letter
    ["quilllon", "quillon"], // extra letter
    ["quellon", "quillon"], // wrong letter
    ["qiullon", "quillon"], // swapped letters
    ["uqillon", "quillon"],
    ["draaft", "draft"],
    ["QUILON drfat", "quillon draft"],
    ["tanscripton", "transcription"], // two errors in a long word
    ["ostrle", "ostrel"],
    ["生成字慕", "生成字幕"],
    ["字慕", "字幕"],
    ["自动牛成", "自动生成"],
    ["鹅毛笔泻稿", "鹅毛笔写稿"],
    ["自动成生", "自动生成"],
    ["下書さ", "下書き"],
    ["文字起し", "文字起こし"],
    ["文字起ここし", "文字起こし"],
    ["キロソ", "キロン"],
    ["quilon 字慕", "quillon 字幕"],
  ];
  it.each(typos)("corrects %s to %s", async (typed, corrected) => {
    for (const locale of ["en", "zh", "ja"] as const) {
      const found = await search(typed, {}, locale);
      expect([found.corrected, found.items[0]?.slug]).toEqual([corrected, "quillon"]);
      const match = /[^\p{ASCII}]/u.test(typed) ? "closest" : "corrected";
      expect(found).toEqual({ ...(await search(corrected!, {}, locale)), corrected, match });
    }
  });

  it("does not correct a query with results, or to one without results", async () => {
    expect((await search("muse")).corrected).toBeNull();
    expect(await search("zzzzqqqq")).toEqual({
      items: [],
      total: 0,
      total_exact: true,
      match: "exact",
      corrected: null,
    });
    expect(await search("quillon zzzzqqqq")).toMatchObject({
      corrected: null,
      match: "closest",
      items: [{ slug: "quillon" }],
    });
    expect((await search("quillon", { price_from: 5000 })).corrected).toBeNull();
    expect(await search("quilon", { price_from: 5000 })).toMatchObject({ items: [], corrected: "quillon" });
  });

  it.each(["en", "zh", "ja"] as const)("finds names and words of every language in %s", async (locale) => {
    for (const keyword of [
      "Quillon",
      "quill",
      "draft qu",
      "Ostrel",
      "字幕",
      "幕",
      "写稿",
      "下書",
      "要約",
      "音声",
      "声音",
      "captions",
    ])
      expect([keyword, await slugs(keyword, {}, locale)]).toEqual([keyword, ["quillon"]]);
  });

  it.each([
    "quillon weekly",
    "字幕周卡",
    "字幕 周卡",
    "下書き週間パス",
    "quillon 3 days",
    "3天 字幕",
    "3日パス 下書き",
    "weekly pass quillon",
  ])("matches the pass type in %s", async (keyword) => expect(await slugs(keyword)).toEqual(["quillon"]));

  it("shows the pass named in the query, and its price", async () => {
    expect((await search("quillon 3 days")).items[0]).toMatchObject({ duration_days: 3, price: 5 });
    expect((await search("quillon weekly")).items[0]).toMatchObject({ pass_type: "week", price: 9 });
    expect(await slugs("quillon lifetime")).toEqual([]);
  });

  it("ranks full names over prefixes over other texts, regardless of popularity", async () => {
    expect((await slugs("muse")).slice(0, 3)).toEqual(["muse", "musette", "bag"]);
  });

  it("finds the passes of one seller alone, with and without words, and none of an unknown one", async () => {
    const [own, other] = [await createMerchant(), await createMerchant()];
    for (const [slug, merchant] of [
      ["lantern-own", own],
      ["lantern-other", other],
    ] as const)
      await createProduct({ slug, merchantId: merchant.id, texts: { en: { name: `Lantern ${slug}` } } });
    await indexBySlug("lantern-%");
    expect((await slugs("lantern")).sort()).toEqual(["lantern-other", "lantern-own"]);
    expect(await slugs("lantern", { seller: own.handle })).toEqual(["lantern-own"]);
    expect(await slugs("", { seller: other.handle })).toEqual(["lantern-other"]);
    expect(await slugs("lantern", { seller: "nobody" })).toEqual([]);
  });

  it("suggests products, categories and pass types", async () => {
    const suggestions = Suggestions.parse(await suggestSearch("quil", "ja"));
    expect(suggestions.products[0]).toMatchObject({
      slug: "quillon",
      product_name: "キロン下書き",
      language: "ja",
    });
    expect((await suggestSearch("sou", "zh")).categories).toEqual([
      { category: "sound", category_name: "声音" },
    ]);
    expect((await suggestSearch("week", "en")).vip_types).toEqual(["week"]);
    expect((await suggestSearch("周", "zh")).vip_types).toEqual(["week"]);
    expect((await suggestSearch("quilon", "en")).products[0]).toMatchObject({ slug: "quillon" });
    expect(await suggestSearch("  ", "en")).toEqual({ products: [], categories: [], vip_types: [] });
  });
});

describe("search terms and synonyms", () => {
  const synonyms = (terms: object) => ({ kind: "synonyms", slug: "phrase-book", terms });
  const category = {
    kind: "category",
    slug: "travel",
    sort_num: 1,
    hue: 10,
    names: { en: "Travel" },
    search_terms: { en: ["journeys"], zh: ["旅行"] },
  };
  const line = (fields: object = {}) =>
    productRecord({
      slug: "wayfarer",
      category: "travel",
      texts: { en: productText({ name: "Wayfarer", description: "It lists ferries." }) },
      search_terms: { en: ["order a taxi", "phrasebook"], zh: ["叫出租车"], ja: ["タクシーを呼ぶ"] },
      ...fields,
    });
  beforeAll(() => importLines([category, line()]));

  it.each([
    ["order a taxi"],
    ["taxi ordering"],
    ["taxis"],
    ["叫出租车"],
    ["叫出租車"], // traditional characters
    ["タクシー"],
    ["たくしー"], // hiragana
    ["ﾀｸｼｰを呼ぶ"], // half width
    ["叫出租车软件"], // followed by a general word
    ["おすすめのタクシーアプリ"],
    ["journey"], // of the category
    ["旅行"],
    ["how to order a taxi"],
    ["AIタクシー"],
  ])("%s finds a product by its tasks and its category's", async (keyword) => {
    for (const locale of ["en", "zh", "ja"] as const)
      expect(await search(keyword, {}, locale)).toMatchObject({
        match: "exact",
        items: [{ slug: "wayfarer" }],
      });
  });

  it("are found through a group of synonyms, as long as it is imported", async () => {
    expect(await slugs("conversation guide")).toEqual([]);
    const added = await importLines([synonyms({ en: ["phrasebook", "conversation guide"], ja: ["会話帳"] })]);
    expect(added).toMatchObject({ added: 1, refused: 0 });
    expect(await slugs("conversation guides")).toEqual(["wayfarer"]);
    expect(await slugs("会話帳", {}, "ja")).toEqual(["wayfarer"]);
    expect(
      await importLines([synonyms({ en: ["phrasebook", "conversation guide"], ja: ["会話帳"] })]),
    ).toMatchObject({ unchanged: 1 });
    await importLines([synonyms({ en: ["phrasebook", "glossary"] })]);
    expect([await slugs("会話帳"), await slugs("glossary")]).toEqual([[], ["wayfarer"]]);
    await importLines([line({ sort_num: 9 })]);
    expect(await slugs("glossary")).toEqual(["wayfarer"]);
    expect(await importLines([synonyms({})])).toMatchObject({ changed: 1 });
    expect(await slugs("glossary")).toEqual([]);
    expect(await client()`select from search_synonyms`).toHaveLength(0);
  });

  it("apply to names and terms, not to descriptions", async () => {
    await importLines([synonyms({ en: ["ferries", "hydrofoil"] })]);
    expect([await slugs("ferries"), await slugs("hydrofoil")]).toEqual([["wayfarer"], []]);
    await importLines([synonyms({})]);
  });

  it("reject a group of one term, an empty term and an unknown language", async () => {
    const refused = await importLines([
      synonyms({ en: ["alone"] }),
      line({ search_terms: { en: [" "] } }),
      line({ slug: "other", search_terms: { fr: ["un"] } }),
    ]);
    expect(refused).toMatchObject({ added: 0, changed: 0, refused: 3 });
    expect(refused.refusals.map(({ path }) => path)).toEqual(["terms", "search_terms.en[0]", "search_terms"]);
  });

  it("are not removed from the vocabulary of typos", async () => {
    expect(await search("phrasebok")).toMatchObject({ match: "corrected", corrected: "phrasebook" });
  });

  it("show the closest products when none has all words, marked as a guess", async () => {
    expect(await search("taxi submarine")).toMatchObject({
      match: "closest",
      corrected: null,
      items: [{ slug: "wayfarer" }],
    });
    expect(await search("タクツー")).toMatchObject({ match: "closest", corrected: "タクシー" });
    // Suggestions cannot say that they are a guess, so there are none.
    expect((await suggestSearch("タクツー", "ja")).products).toEqual([]);
  });

  it("do not match the names of filter terms", async () => {
    for (const keyword of ["cat", "categ", "typ", "pric"])
      expect([keyword, (await search(keyword)).total]).toEqual([keyword, 0]);
  });

  it("are suggested, with picture, price and category", async () => {
    const { products, categories } = Suggestions.parse(await suggestSearch("taxi", "en"));
    expect(products).toMatchObject([
      { slug: "wayfarer", price: 9.9, product_image: expect.stringContaining("/admin/product-image/") },
    ]);
    expect(categories).toEqual([]);
    expect((await suggestSearch("journ", "zh")).categories).toEqual([
      { category: "travel", category_name: "Travel" },
    ]);
  });

  it("price words find free passes, sort by price, or list the deals", async () => {
    await importLines([
      line({
        slug: "gift",
        plans: [{ type: "week", duration_days: 7, price: 0, purchase_limit: 1 }],
      }),
    ]);
    expect((await slugs("free taxi")).slice(0, 2)).toEqual(["gift", "wayfarer"]);
    expect(await slugs("免费")).toEqual(["gift"]);
    const prices = (await search("cheapest")).items.map(({ price }) => price);
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    expect((await search("sale")).total).toBe(0);
    expect((await search("taxi sale")).total).toBe(2);
  });
});

describe("search documents", () => {
  it("are updated in the import's transaction", async () => {
    const names = { en: "Tools", zh: "工具", ja: "道具" };
    const category = { kind: "category", slug: "tools", sort_num: 1, hue: 10, names };
    const line = (name: string, plans: object[]) =>
      productRecord({ slug: "followed", texts: { en: productText({ name }) }, plans });
    const week = { type: "week", duration_days: 7, price: 9.9 };
    const year = { type: "year", duration_days: 365, price: 99 };
    await importLines([category, line("Firstnamed", [week])]);
    expect(await slugs("firstnamed weekly")).toEqual(["followed"]);
    await importLines([line("Secondnamed", [year])]);
    expect(await slugs("firstnamed")).toEqual([]);
    expect(await slugs("secondnamed yearly")).toEqual(["followed"]);
    expect(await slugs("secondnamed weekly")).toEqual([]);
    await importLines([{ ...category, names: { ...names, en: "Implements" } }]);
    expect(await slugs("secondnamed implements")).toEqual(["followed"]);
    const preview = await importLines([line("Thirdnamed", [week])], { preview: true });
    expect(preview).toMatchObject({ changed: 1 });
    expect((await search("thirdnamed")).total).toBe(0);
    expect(await slugs("secondnamed")).toEqual(["followed"]);
  });

  it("can be rebuilt, without obsolete words", async () => {
    const before = await client()`select * from search_documents order by product_id`;
    await client()`insert into search_vocabulary values ('leftover', 0)`;
    await client()`delete from search_documents where product_id % 2 = 0`;
    await client()`select refresh_search_documents(null)`;
    expect(await client()`select * from search_documents order by product_id`).toEqual(before);
    expect(await client()`select from search_vocabulary where word = 'leftover'`).toHaveLength(0);
  });
});

describe("more than 1,000 matches", () => {
  const MANY = 2100;
  beforeAll(async () => {
    await createProduct({ slug: "pattern", plans: [{ type: "week", priceCents: 5000, keys: 1 }] });
    await createManyProducts({ slug: "many", name: "Crowded", count: MANY });
  });

  it("are counted as 1,000 and more, the most popular first", async () => {
    const found = await search("crowded", { size: 3 });
    expect(found).toMatchObject({ total: 1000, total_exact: false });
    expect(found.items.map(({ slug }) => slug)).toEqual([MANY, MANY - 1, MANY - 2].map((n) => `many-${n}`));
  });

  it("are sorted by price and filtered over all matches", async () => {
    const cheapest = await search("crowded", { size: 3, sort: "price_asc" });
    expect(cheapest).toMatchObject({ total: 1000, total_exact: false });
    const mostExpensive = await search("crowded", { size: 2, sort: "price_desc" });
    expect(mostExpensive.items.map(({ slug }) => slug)).toEqual([`many-${MANY}`, `many-${MANY - 1}`]);
    expect(cheapest.items.map(({ slug }) => slug)).toEqual(["many-1", "many-2", "many-3"]);
    expect(await search("crowded", { price_to: 10.05 })).toMatchObject({ total: 5, total_exact: true });
    expect(await slugs("crowded", { sort: "price_asc", page: 20 })).toHaveLength(100);
    expect(await slugs("crowded", { sort: "price_asc", page: 21 })).toEqual([]);
  });

  /** The products of all pages, in the order of the list. */
  const listAllPages = async (keyword: string, input: object = {}) =>
    (
      await Promise.all(Array.from({ length: 10 }, (_, page) => slugs(keyword, { ...input, page: page + 1 })))
    ).flat();

  // Reading all pages of long lists takes long.
  if (isComplete) {
    it("show the most popular ones, with a stable order for equal popularity and every filter", async () => {
      const sql = client();
      await sql`
      with source as (select * from products where slug = 'pattern'), made as (
        insert into products (slug, vendor, category, image, sort_num, activation, import_hash)
        select 'tied-' || n, vendor, category, image, 1000, activation, 'x' from source, generate_series(1, 900) n
        returning id, slug), texts as (
        insert into product_texts (product_id, locale, name, tagline, description, includes)
        select id, 'en', 'Crowded ' || slug, 'One of many.', 'One.', '[]' from made)
      insert into plans (product_id, type, duration_days, price_cents, availability, region, position)
      select id, case when id % 3 = 0 then 'day' else 'month' end, case when id % 3 = 0 then 1 else 30 end,
        500, 'in_stock', '["worldwide"]', 0 from made`;
      await indexBySlug("tied-%");
      for (const type of [undefined, "week", "day", "lifetime"]) {
        const popular = await sql<{ slug: string }[]>`
        select p.slug from products p join product_texts t on t.product_id = p.id and t.name like 'Crowded %'
        where ${type ?? null}::text is null
          or exists (select from plans pl where pl.product_id = p.id and pl.type = ${type ?? null})
        order by p.sort_num desc, p.id limit 1000`;
        expect(await listAllPages("crowded", { vip_type: type }), type).toEqual(
          popular.map(({ slug }) => slug),
        );
      }
    });

    it("are found at every popularity rank", async () => {
      const sql = client();
      await sql`
      with ranked as (select id, row_number() over (order by sort_num desc, id) as place,
        count(*) over () as total from products where exists (select from search_documents d where d.product_id = id))
      update product_texts t set tagline = t.tagline
        || case when place <= 500 or place between 1100 and 1120 or place > total - 300 then ' Patchy.' else '' end
        || case when place > total - 40 then ' Abyssal.' else '' end
      from ranked where t.product_id = ranked.id and t.locale = 'en'`;
      await indexBySlug("%");
      for (const [word, count] of Object.entries({ patchy: 821, abyssal: 40 })) {
        const all = await sql<
          { slug: string }[]
        >`select p.slug from products p join product_texts t on t.product_id = p.id
        where t.locale = 'en' and t.tagline ilike ${`%${word}.%`} order by p.sort_num desc, p.id`;
        expect(all).toHaveLength(count);
        expect(await listAllPages(word), word).toEqual(all.map(({ slug }) => slug));
      }
    });

    it("never show a product on two pages", async () => {
      const pages = await Promise.all([1, 2, 39].map((page) => slugs("crowded", { page, size: 24 })));
      expect(new Set(pages.flat()).size).toBe(72);
    });
  }
});

// The tests above have the same with fewer matches.
if (isComplete)
  describe("more matches than the search reads", () => {
    const COUNT = 10_050;

    it("are sorted by price and filtered over all matches", async () => {
      await createManyProducts({ slug: "abundant", name: "Abundant", count: COUNT });
      const numbered = (...numbers: number[]) => numbers.map((number) => `abundant-${number}`);
      const cheapest = await search("abundant", { size: 3, sort: "price_asc" });
      expect(cheapest).toMatchObject({ total: 1000, total_exact: false });
      expect(cheapest.items.map(({ slug }) => slug)).toEqual(numbered(1, 2, 3));
      expect(await slugs("abundant", { size: 2, page: 2, sort: "price_desc" })).toEqual(
        numbered(COUNT - 2, COUNT - 3),
      );
      expect(await slugs("abundant", { size: 2, sort: "price_asc", price_from: 15 })).toEqual(
        numbered(500, 501),
      );
      expect(await slugs("abundant", { size: 2, sort: "price_asc", vip_type: "month" })).toEqual([]);
      expect(await slugs("abundant", { sort: "price_asc", page: 20 })).toHaveLength(100);
      expect(await slugs("abundant", { sort: "price_asc", page: 21 })).toEqual([]);
    });
  });

describe("the table of search documents", () => {
  it("stores a document in its row, and statistics of ten thousand words", async () => {
    const [table] = await client()<{ options: string[]; statistics: number }[]>`
      select c.reloptions as options, a.attstattarget as statistics from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'document' where c.relname = 'search_documents'`;
    expect(table).toEqual({ options: ["toast_tuple_target=8160"], statistics: 1000 });
  });
});
