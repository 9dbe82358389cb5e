import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { categories, deals, plans, products, productTexts } from "@/db/schema/catalog";
import { keyEvents, keys } from "@/db/schema/delivery";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import { PASS_DAYS } from "@/lib/catalog/rules";
import { lettersOfKey, normalizeKey } from "@/lib/delivery/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { fingerprint, seal, shortFingerprint } from "@/lib/platform/crypto/vault";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Catalogue rows for tests; default names are unique. */

const unique = () => randomUUID().slice(0, 8);

export async function createCategory(input: { slug?: string; names?: Record<string, string> } = {}) {
  const slug = input.slug ?? `category-${unique()}`;
  await db
    .insert(categories)
    .values({ slug, sortNum: 0, hue: 200, names: input.names ?? { en: "Tools" }, importHash: unique() })
    .onConflictDoNothing();
  return slug;
}

type TextInput = { name?: string; tagline?: string; description?: string; includes?: string[] };
export type ProductInput = Partial<Omit<typeof products.$inferInsert, "id" | "published">> & {
  listed?: boolean;
  /** An English text is added when missing. */
  texts?: Partial<Record<Locale, TextInput>>;
  plans?: PlanInput[];
};

export type CreatedProduct = { id: number; slug: string; name: string; plans: CreatedPlan[] };

/** A product with its plans; default: one week pass at $10.00 with 3 keys. */
export async function createProduct(input: ProductInput = {}): Promise<CreatedProduct> {
  const { texts: givenTexts, plans: givenPlans, listed, ...columns } = input;
  const { slug = `product-${unique()}`, category = await createCategory() } = columns;
  const [created] = await db
    .insert(products)
    .values({
      vendor: "Vendors & Co",
      image: PLACEHOLDER,
      sortNum: 0,
      activation: { url: "https://vendor.example/redeem", steps: { en: ["Enter the code."] } },
      importHash: unique(),
      ...columns,
      slug,
      category,
      published: listed,
    })
    .returning({ id: products.id });
  const { id } = created!;
  const texts = { en: {}, ...givenTexts };
  const name = texts.en.name ?? `Product ${slug.slice(-8)}`;
  await db.insert(productTexts).values(
    Object.entries(texts).map(([locale, text]) => ({
      productId: id,
      locale,
      name: text.name ?? name,
      tagline: text.tagline ?? "Does one thing well.",
      description: text.description ?? "Does one thing well, for a day or a week.",
      includes: text.includes ?? ["Everything"],
    })),
  );
  const createdPlans: CreatedPlan[] = [];
  for (const [position, plan] of (givenPlans ?? [{ keys: 3 }]).entries())
    createdPlans.push(await createPlan(id, { position, ...plan }));
  return { id, slug, name, plans: createdPlans };
}

export type PlanInput = Partial<Omit<typeof plans.$inferInsert, "id" | "productId" | "durationDays">> & {
  days?: number | null;
  /** how many keys to put in stock */
  keys?: number;
  deal?: DealInput;
};
export type CreatedPlan = { id: number; dealId: string | null; keys: string[] };

/** A plan of a product; a free one is limited to one per user, a pre-order is released in 30 days. */
export async function createPlan(
  productId: number,
  { days, keys: count = 0, deal, ...columns }: PlanInput = {},
): Promise<CreatedPlan> {
  const { type = "week", priceCents = 1000, availability = "in_stock" } = columns;
  const inThirtyDays = new Date(Date.now() + 30 * 86_400_000);
  const [created] = await db
    .insert(plans)
    .values({
      productId,
      durationDays: days === undefined ? PASS_DAYS[type] : days,
      purchaseLimit: priceCents === 0 ? 1 : null,
      releasesAt: availability === "pre_order" ? inThirtyDays : null,
      region: ["worldwide"],
      position: 0,
      ...columns,
      type,
      priceCents,
      availability,
    })
    .returning({ id: plans.id });
  const { id } = created!;
  const dealId = deal ? await createDeal(id, deal) : null;
  await db.execute(sql`select refresh_search_documents(array[${productId}::int])`);
  return { id, dealId, keys: await createKeys(id, count) };
}

/** The plan of a new product that has no other plan; default: a week pass at $10.00 with 3 keys. */
export async function createSinglePlan(input: PlanInput = { keys: 3 }): Promise<CreatedPlan> {
  const { plans } = await createProduct({ plans: [input] });
  return plans[0]!;
}

/** `endsIn` is a Postgres interval from the shop's now, such as `2 days` or `-1 hour`. */
export type DealInput = { priceCents?: number; endsIn?: string; quantity?: number; claimed?: number };

export async function createDeal(
  planId: number,
  { priceCents = 500, endsIn = "3 days", quantity = 10, claimed }: DealInput = {},
): Promise<string> {
  const id = newId("deal");
  const endsAt = sql`shop_now() + ${endsIn}::interval`;
  await db.insert(deals).values({ id, planId, priceCents, endsAt, quantity, claimed });
  return id;
}

/** Stores keys, encrypted as an import does it; returns their texts. */
export async function createKeys(
  planId: number,
  count: number,
  { batchId }: { batchId?: string } = {},
): Promise<string[]> {
  if (count === 0) return [];
  const created = Array.from({ length: count }, () => {
    const id = newId("key");
    const text = `TEST-${randomUUID().toUpperCase()}`;
    return {
      text,
      row: {
        id,
        planId,
        batchId,
        ...seal(id, text),
        fingerprint: fingerprint(normalizeKey(text)),
        lettersHash: shortFingerprint(lettersOfKey(text)),
      },
    };
  });
  await db.insert(keys).values(created.map(({ row }) => row));
  await db
    .insert(keyEvents)
    .values(created.map(({ row }) => ({ keyId: row.id, event: "imported" as const, actor: "test" })));
  return created.map(({ text }) => text);
}
