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

/** Catalogue rows for tests; default names are unique. */

const unique = () => randomUUID().slice(0, 8);

export async function createCategory(
  input: { slug?: string; names?: Record<string, string> } = {},
): Promise<string> {
  const slug = input.slug ?? `category-${unique()}`;
  await db
    .insert(categories)
    .values({ slug, sortNum: 0, hue: 200, names: input.names ?? { en: "Tools" }, importHash: unique() })
    .onConflictDoNothing();
  return slug;
}

type TextInput = { name?: string; tagline?: string; description?: string; includes?: string[] };
export type ProductInput = {
  slug?: string;
  vendor?: string;
  category?: string;
  image?: string;
  sortNum?: number;
  listed?: boolean;
  /** An English text is added when missing. */
  texts?: Partial<Record<"en" | "zh" | "ja", TextInput>>;
  plans?: PlanInput[];
};

export type CreatedProduct = { id: number; slug: string; name: string; plans: CreatedPlan[] };

/** A product with its plans; default: one week pass at $10.00 with 3 keys. */
export async function createProduct(input: ProductInput = {}): Promise<CreatedProduct> {
  const slug = input.slug ?? `product-${unique()}`;
  const texts = { en: {}, ...input.texts };
  const name = texts.en.name ?? `Product ${slug.slice(-8)}`;
  const [created] = await db
    .insert(products)
    .values({
      slug,
      vendor: input.vendor ?? "Vendors & Co",
      category: input.category ?? (await createCategory()),
      image: input.image ?? PLACEHOLDER,
      sortNum: input.sortNum ?? 0,
      listed: input.listed ?? true,
      activation: { url: "https://vendor.example/redeem", steps: { en: ["Enter the code."] } },
      importHash: unique(),
    })
    .returning({ id: products.id });
  const { id } = created!;
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
  for (const [position, plan] of (input.plans ?? [{ keys: 3 }]).entries())
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
export async function createPlan(productId: number, input: PlanInput = {}): Promise<CreatedPlan> {
  const type = input.type ?? "week";
  const priceCents = input.priceCents ?? 1000;
  const availability = input.availability ?? "in_stock";
  const releasesAt =
    input.releasesAt ?? (availability === "pre_order" ? new Date(Date.now() + 30 * 86_400_000) : null);
  const [created] = await db
    .insert(plans)
    .values({
      productId,
      type,
      durationDays: input.days === undefined ? PASS_DAYS[type] : input.days,
      priceCents,
      listPriceCents: input.listPriceCents ?? null,
      purchaseLimit: input.purchaseLimit ?? (priceCents === 0 ? 1 : null),
      availability,
      releasesAt,
      region: input.region ?? ["worldwide"],
      position: input.position ?? 0,
      listed: input.listed ?? true,
    })
    .returning({ id: plans.id });
  const { id } = created!;
  const dealId = input.deal ? await createDeal(id, input.deal) : null;
  await db.execute(sql`select refresh_search_documents(array[${productId}::int])`);
  return { id, dealId, keys: await createKeys(id, input.keys ?? 0) };
}

/** The plan of a new product that has no other plan; default: a week pass at $10.00 with 3 keys. */
export async function createSinglePlan(input: PlanInput = { keys: 3 }): Promise<CreatedPlan> {
  const { plans } = await createProduct({ plans: [input] });
  return plans[0]!;
}

/** `endsIn` is a Postgres interval from the shop's now, such as `2 days` or `-1 hour`. */
export type DealInput = { priceCents?: number; endsIn?: string; quantity?: number; claimed?: number };

export async function createDeal(planId: number, input: DealInput = {}): Promise<string> {
  const id = newId("deal");
  await db.insert(deals).values({
    id,
    planId,
    priceCents: input.priceCents ?? 500,
    endsAt: sql`shop_now() + ${input.endsIn ?? "3 days"}::interval`,
    quantity: input.quantity ?? 10,
    claimed: input.claimed ?? 0,
  });
  return id;
}

/** Stores keys, encrypted as an import does it; returns their texts. */
export async function createKeys(planId: number, count: number): Promise<string[]> {
  if (count === 0) return [];
  const created = Array.from({ length: count }, () => {
    const id = newId("key");
    const text = `TEST-${randomUUID().toUpperCase()}`;
    return { text, row: { id, planId, ...seal(id, text), fingerprint: fingerprint(normalizeKey(text)) } };
  });
  await db.insert(keys).values(created.map(({ row }) => row));
  await db
    .insert(keyEvents)
    .values(created.map(({ row }) => ({ keyId: row.id, event: "imported" as const, actor: "test" })));
  return created.map(({ text }) => text);
}
