import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { categories, deals, plans, products, productTexts } from "@/db/schema/catalog";
import { keyEvents, keys } from "@/db/schema/delivery";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import type { Availability, PassType } from "@/lib/catalog/rules";
import { PASS_DAYS } from "@/lib/catalog/rules";
import { normalizeKey } from "@/lib/delivery/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { fingerprint, seal } from "@/lib/platform/crypto/vault";

/** Catalogue rows for tests; missing values are unique. */

const unique = () => randomUUID().slice(0, 8);

export async function createCategory(
  given: { slug?: string; names?: Record<string, string> } = {},
): Promise<string> {
  const slug = given.slug ?? `category-${unique()}`;
  await db
    .insert(categories)
    .values({ slug, sortNum: 0, hue: 200, names: given.names ?? { en: "Tools" }, importHash: unique() })
    .onConflictDoNothing();
  return slug;
}

type GivenText = { name?: string; tagline?: string; description?: string; includes?: string[] };
export type ProductInput = {
  slug?: string;
  vendor?: string;
  category?: string;
  image?: string;
  sortNum?: number;
  listed?: boolean;
  /** English is added where it is missing. */
  texts?: Partial<Record<"en" | "zh" | "ja", GivenText>>;
  plans?: PlanInput[];
};

export type CreatedProduct = { id: number; slug: string; name: string; plans: CreatedPlan[] };

/** A product with its plans; default: one week pass at $10.00 with 3 keys. */
export async function createProduct(given: ProductInput = {}): Promise<CreatedProduct> {
  const slug = given.slug ?? `product-${unique()}`;
  const texts = { en: {}, ...given.texts };
  const name = texts.en.name ?? `Product ${slug.slice(-8)}`;
  const [made] = await db
    .insert(products)
    .values({
      slug,
      vendor: given.vendor ?? "Makers & Co",
      category: given.category ?? (await createCategory()),
      image: given.image ?? PLACEHOLDER,
      sortNum: given.sortNum ?? 0,
      listed: given.listed ?? true,
      activation: { url: "https://vendor.example/redeem", steps: { en: ["Enter the code."] } },
      importHash: unique(),
    })
    .returning({ id: products.id });
  const { id } = made!;
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
  const madePlans: CreatedPlan[] = [];
  for (const [position, plan] of (given.plans ?? [{ keys: 3 }]).entries())
    madePlans.push(await createPlan(id, { position, ...plan }));
  return { id, slug, name, plans: madePlans };
}

export type PlanInput = {
  type?: PassType;
  days?: number | null;
  priceCents?: number;
  listPriceCents?: number | null;
  purchaseLimit?: number | null;
  availability?: Availability;
  releasesAt?: Date;
  region?: string[];
  position?: number;
  listed?: boolean;
  /** how many keys to put in stock */
  keys?: number;
  deal?: DealInput;
};
export type CreatedPlan = { id: number; dealId: string | null; keys: string[] };

/** A plan of a product; a free one is limited to one per user, a pre-order is released in 30 days. */
export async function createPlan(productId: number, given: PlanInput = {}): Promise<CreatedPlan> {
  const type = given.type ?? "week";
  const priceCents = given.priceCents ?? 1000;
  const availability = given.availability ?? "in_stock";
  const releasesAt =
    given.releasesAt ?? (availability === "pre_order" ? new Date(Date.now() + 30 * 86_400_000) : null);
  const [made] = await db
    .insert(plans)
    .values({
      productId,
      type,
      durationDays: given.days === undefined ? PASS_DAYS[type] : given.days,
      priceCents,
      listPriceCents: given.listPriceCents ?? null,
      purchaseLimit: given.purchaseLimit ?? (priceCents === 0 ? 1 : null),
      availability,
      releasesAt,
      region: given.region ?? ["worldwide"],
      position: given.position ?? 0,
      listed: given.listed ?? true,
    })
    .returning({ id: plans.id });
  const { id } = made!;
  const dealId = given.deal ? await createDeal(id, given.deal) : null;
  await db.execute(sql`select refresh_search_documents(array[${productId}::int])`);
  return { id, dealId, keys: await createKeys(id, given.keys ?? 0) };
}

/** `endsIn` is a Postgres interval from the shop's now, such as `2 days` or `-1 hour`. */
export type DealInput = { priceCents?: number; endsIn?: string; quantity?: number; claimed?: number };

export async function createDeal(planId: number, given: DealInput = {}): Promise<string> {
  const id = newId("deal");
  await db.insert(deals).values({
    id,
    planId,
    priceCents: given.priceCents ?? 500,
    endsAt: sql`shop_now() + ${given.endsIn ?? "3 days"}::interval`,
    quantity: given.quantity ?? 10,
    claimed: given.claimed ?? 0,
  });
  return id;
}

/** Stores keys, encrypted as an import does it; returns their texts. */
export async function createKeys(planId: number, count: number): Promise<string[]> {
  if (count === 0) return [];
  const made = Array.from({ length: count }, () => {
    const id = newId("key");
    const text = `TEST-${randomUUID().toUpperCase()}`;
    return { text, row: { id, planId, ...seal(id, text), fingerprint: fingerprint(normalizeKey(text)) } };
  });
  await db.insert(keys).values(made.map(({ row }) => row));
  await db
    .insert(keyEvents)
    .values(made.map(({ row }) => ({ keyId: row.id, event: "imported" as const, actor: "test" })));
  return made.map(({ text }) => text);
}
