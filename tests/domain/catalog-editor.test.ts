import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createCategory } from "@/db/factories/catalog";
import { editLine } from "@/lib/catalog/console/edit-line";
import { editProduct } from "@/lib/catalog/console/edit-product";
import { editProducts } from "@/lib/catalog/console/edit-products";
import { getEditedProduct } from "@/lib/catalog/console/get-edited-product";
import { listCategoryNames } from "@/lib/catalog/console/list-edited-categories";
import { planEffect } from "@/lib/catalog/console/rules-effect";
import { streamProductFeed } from "@/lib/catalog/feeds/stream-product-feed";
import type { PlanRecord } from "@/lib/catalog/import/contract";
import { getProductPage } from "@/lib/catalog/product/find-product-page";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { productSeo } from "@/lib/catalog/seo";
import { InvalidationListener } from "@/lib/platform/page-cache/invalidation-listener";
import { importCategory, importLines, planRecord, productRecord } from "@/tests/setup/catalog-import";
import { rounds } from "@/tests/setup/rounds";

const EDITOR = { userId: "usr_editor", locale: "en" } as const;
const EDITS = rounds(200, 30);
const shiftClock = (interval: string) =>
  client()`update shop_clock set shift = shift + ${interval}::interval`;
const shopTime = async () => {
  const [row] = await client()<{ now: Date }[]>`select shop_now() as now`;
  return new Date(row!.now);
};

beforeAll(importCategory);
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

async function createEdited(fields: Record<string, unknown> = {}) {
  const line = productRecord(fields);
  await importLines([line]);
  const [row] = await client()<{ id: number }[]>`select id from products where slug = ${line.slug}`;
  return { id: row!.id, slug: line.slug };
}

it("the category choices are named in the editor's language, or in English", async () => {
  const translated = await createCategory({ names: { en: "Notes", zh: "笔记", ja: "メモ" } });
  const english = await createCategory({ names: { en: "Tools" } });
  const choices = await listCategoryNames("zh");
  expect(choices).toContainEqual({ value: translated, label: "笔记" });
  expect(choices).toContainEqual({ value: english, label: "Tools" });
});

describe("an edit in the console", () => {
  it("invalidates cached pages and lists of both categories, and is in search and lists immediately", async () => {
    const notified: string[] = [];
    const listener = await InvalidationListener.open({
      onTag: (tag) => notified.push(tag),
      onLost: () => {},
    });
    const { id, slug } = await createEdited();
    const other = await createCategory();
    await listener.confirm();
    notified.length = 0;
    const { revision, line } = await getEditedProduct(id, "en");
    const name = `Quixotic${id}`;
    const edited = { ...line, category: other, texts: { en: { ...line.texts.en, name } } };
    expect(await editProduct(EDITOR, { id, baseRevision: revision, line: edited })).toMatchObject({
      saved: true,
    });
    expect(await listener.confirm()).toBe(true);
    await listener.stop();
    expect(new Set(notified)).toEqual(
      new Set([`product:${id}`, "feed", "list", "list:tools", `list:${other}`]),
    );
    expect(await getProductPage({ slug, locale: "en" })).toMatchObject({
      product_name: name,
      category: other,
    });
    const found = await searchProducts({ keyword: name, sort: "recommend", page: 1, size: 10 }, "en");
    expect(found.items.map(({ product_id }) => product_id)).toEqual([id]);
    const [listed] = await client()`select category from listing_index where product_id = ${id}`;
    expect(listed).toEqual({ category: other });
  });

  it("is in the structured data and the product feed immediately, with the previous price", async () => {
    const { id, slug } = await createEdited();
    await shiftClock("2 days");
    const { revision, line } = await getEditedProduct(id, "en");
    const plans = line.plans.map((plan) => ({ ...plan, price: 8, list_price: 9.9 }));
    const texts = { en: { ...line.texts.en, name: `Renamed ${id}`, tagline: "Does other things." } };
    const edit = { id, baseRevision: revision, line: { ...line, texts, plans } };
    expect(await editProduct(EDITOR, edit)).toMatchObject({ saved: true });
    const page = await getProductPage({ slug, locale: "en" });
    const urls = {
      origin: "https://shop.example",
      brand: "Shop",
      locale: "en",
      surface: "desktop",
    } as const;
    const labels = { home: "Home", passName: () => "Week pass", title: (name: string) => name };
    const [group] = productSeo(page, urls, labels).jsonLd;
    expect(group).toMatchObject({ "@type": "ProductGroup", name: `Renamed ${id}` });
    expect(JSON.stringify(group)).toContain('"price":"8.00"');
    expect(JSON.stringify(group)).toContain("9.90");
    for await (const feedLine of streamProductFeed())
      if (feedLine.product_id === id) {
        expect(feedLine.texts.en).toMatchObject({ name: `Renamed ${id}`, tagline: "Does other things." });
        expect(feedLine.plans).toMatchObject([{ price: 8, list_price: 9.9, lowest_price_30d: 9.9 }]);
        return;
      }
    expect.fail("The feed lacks the product.");
  });

  it("that pauses a pre-order keeps its date, which returns when it is resumed", async () => {
    const date = new Date(Date.now() + 9 * 86_400_000).toISOString();
    const { id, slug } = await createEdited({
      plans: [planRecord({ availability: "pre_order", releases_on: date })],
    });
    const change = (action: "pause" | "resume") => editProducts(EDITOR, { product_ids: [id], action });
    const plan = async () => (await getEditedProduct(id, "en")).line.plans[0];
    expect(await change("pause")).toMatchObject({ changed: 1, refused: [] });
    expect(await plan()).toMatchObject({ availability: "paused", releases_on: date });
    expect((await getProductPage({ slug, locale: "en" })).vip_options[0]?.releases_at).toBeNull();
    expect(await change("pause")).toMatchObject({ unchanged: 1 });
    expect(await change("resume")).toMatchObject({ changed: 1, refused: [] });
    expect(await plan()).toMatchObject({ availability: "pre_order", releases_on: date });
    expect((await getProductPage({ slug, locale: "en" })).vip_options[0]?.releases_at).toBe(date);
  });

  it("that changes nothing writes nothing, nor does a preview", async () => {
    const { id } = await createEdited();
    const before = await client()`select * from products where id = ${id}`;
    const { revision, line } = await getEditedProduct(id, "en");
    expect(await editProduct(EDITOR, { id, baseRevision: revision, line })).toMatchObject({
      saved: false,
      changes: [],
    });
    const edit = { id, baseRevision: revision, line: { ...line, sort_num: 99 } };
    expect(await editProduct(EDITOR, edit, { preview: true })).toMatchObject({ saved: false, revision: 2 });
    expect(await client()`select * from products where id = ${id}`).toEqual(before);
    expect(await client()`select * from product_revisions where product_id = ${id}`).toHaveLength(1);
  });

  it("of a product without revisions keeps the old state as the first one", async () => {
    const { id } = await createEdited();
    await client()`alter table product_revisions disable trigger product_revisions_append_only`;
    await client()`delete from product_revisions where product_id = ${id}`;
    await client()`alter table product_revisions enable trigger product_revisions_append_only`;
    await client()`update products set revision = 0 where id = ${id}`;
    const { line } = await getEditedProduct(id, "en");
    await editProduct(EDITOR, { id, baseRevision: 0, line: { ...line, sort_num: 9 } });
    const rows =
      await client()`select revision, by, line from product_revisions where product_id = ${id} order by revision`;
    expect(rows).toMatchObject([
      { revision: 1, by: "import", line },
      { revision: 2, by: EDITOR.userId },
    ]);
  });

  it("ends a deal that is missing from it, and keeps the sold units of a continued one", async () => {
    const { id } = await createEdited({
      plans: [planRecord({ deal: { price: 8, ends_at: "P9D", quantity: 6 } })],
    });
    const deals = () => client()`select d.claimed, d.quantity, d.ended_at is null as runs from deals d
      join plans pl on pl.id = d.plan_id where pl.product_id = ${id} order by d.created_at`;
    await client()`update deals set claimed = 3 where plan_id in (select id from plans where product_id = ${id})`;
    const change = async (fields: (plan: PlanRecord) => object) => {
      const { revision, line } = await getEditedProduct(id, "en");
      const plans = line.plans.map((plan) => ({ ...plan, ...fields(plan) }));
      return editProduct(EDITOR, { id, baseRevision: revision, line: { ...line, plans } });
    };
    await change(({ deal }) => ({ deal: deal && { ...deal, quantity: 9 } }));
    expect(await deals()).toEqual([{ claimed: 3, quantity: 9, runs: true }]);
    await expect(change(({ deal }) => ({ deal: deal && { ...deal, quantity: 2 } }))).rejects.toMatchObject({
      issues: [{ path: "line.plans" }],
    });
    await change(() => ({ deal: null }));
    expect(await deals()).toEqual([{ claimed: 3, quantity: 9, runs: false }]);
  });

  it("previews what buyers will see, and the rule that refuses it", async () => {
    const { id } = await createEdited({ plans: [planRecord({ price: 20 })] });
    const outcomes = { saved: 0, refused: 0, reduced: 0 };
    for (let i = 0; i < EDITS; i += 1) {
      await shiftClock(["40 seconds", "5 hours", "3 days", "20 days", "35 days"][i % 5]!);
      const { revision, line, plans } = await getEditedProduct(id, "en");
      const [base] = line.plans as [PlanRecord];
      const now = await shopTime();
      const price = Math.max(2, Math.round(base.price * (80 + ((i * 37) % 45))) / 100);
      const keptDeal = base.deal && base.deal.price < price ? base.deal : null;
      const ends_at = new Date(now.getTime() + ((i % 7) + 1) * 86_400_000).toISOString();
      const deal =
        i % 3 === 0
          ? { price: Math.round(price * 85) / 100, ends_at, quantity: 5 }
          : i % 3 === 1
            ? keptDeal
            : null;
      const next = { ...base, price, deal, list_price: i % 4 === 0 ? Math.ceil(price * 1.3) : null };
      const effect = planEffect(next, base, plans[0], now)!;
      const edit = { id, baseRevision: revision, line: { ...line, plans: [next] } };
      const result = await editProduct(EDITOR, edit).catch((error: { issues?: { path: string }[] }) => error);
      if (effect.problem === null) {
        expect(result, `edit ${i}`).toMatchObject({ needs_approval: false });
        const after = await getEditedProduct(id, "en");
        expect(after.plans[0]?.shown, `edit ${i}`).toEqual(effect.shown);
        outcomes.saved += 1;
        if (effect.shown.percent !== null) outcomes.reduced += 1;
      } else {
        outcomes.refused += 1;
        // A record whose price needs approval may have another problem too.
        const isAsked = effect.problem === "needs_approval" && "needs_approval" in result;
        const refusal = isAsked
          ? { needs_approval: true, saved: false }
          : { issues: [{ path: expect.stringContaining("price") }] };
        expect(result, `edit ${i}`).toMatchObject(refusal);
      }
    }
    expect(Math.min(outcomes.saved, outcomes.refused, outcomes.reduced)).toBeGreaterThan(3);
  });

  it("of a category shows its name in the lists of its products", async () => {
    const slug = await createCategory();
    const { revision, names } = (
      await client()`select revision, names from categories where slug = ${slug}`
    )[0]!;
    const line = { slug, sort_num: 4, hue: 9, names: { ...names, ja: "道具" } };
    expect(await editLine(EDITOR, "category", { slug, baseRevision: revision, line })).toMatchObject({
      saved: true,
    });
    const { slug: product } = await createEdited({ category: slug });
    expect((await getProductPage({ slug: product, locale: "ja" })).category_name).toBe("道具");
  });
});
