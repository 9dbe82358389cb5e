import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import type { Availability, LineSource, PassType } from "@/lib/catalog/rules";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { CategoryRecord, PlanRecord, ProductRecord, SynonymsRecord } from "./contract";
import type { PlainFields } from "./contract-fields";
import { byField, type EveryField, withoutAbsent } from "./rules-fields";
import { isRelativeTime, planKind, resolveTime, storedPicture } from "./rules-line";

type Localized<T> = { en: T } & Partial<Record<Locale, T>>;
type StoredActivation = { url: string | null; steps: Localized<string[]> };

/** A plan as the database holds it; `deal` is the running one. */
export type StoredPlan = {
  type: PassType;
  duration_days: number | null;
  price_cents: number;
  list_price_cents: number | null;
  purchase_limit: number | null;
  redeem_margin_days: number | null;
  availability: Availability;
  releases_at: string | null;
  region: string[];
  activation: StoredActivation | null;
  includes: Localized<string[]> | null;
  deal: { price_cents: number; ends_at: string; quantity: number } | null;
};

/** Fields as their columns hold them: null where a field has no value. */
type StoredFields<Fields> = {
  [Name in keyof Required<Fields>]: undefined extends Fields[Name]
    ? Exclude<Fields[Name], undefined> | null
    : Fields[Name];
};

/** A product as the database holds it, with the plans that a record names. */
export type StoredProduct = StoredFields<PlainFields> & {
  image: string;
  sort_num: number;
  listed: boolean;
  activation: StoredActivation;
  search_terms: ProductRecord["search_terms"];
  texts: ProductRecord["texts"];
  plans: StoredPlan[];
};

/** A value in the order of the languages. */
function inOrder<T>(values: Localized<T>): Localized<T> {
  const others = LOCALES.filter((locale) => locale !== "en" && values[locale] !== undefined);
  return { en: values.en, ...Object.fromEntries(others.map((locale) => [locale, values[locale]])) };
}

/** The plan as a record names it. */
export function toPlanRecord(plan: StoredPlan): PlanRecord {
  const { deal, releases_at } = plan;
  return withoutAbsent<PlanRecord>({
    type: plan.type,
    duration_days: plan.duration_days,
    price: toDecimal(plan.price_cents),
    list_price: plan.list_price_cents === null ? null : toDecimal(plan.list_price_cents),
    purchase_limit: plan.purchase_limit,
    redeem_margin_days: plan.redeem_margin_days ?? undefined,
    availability: plan.availability,
    releases_on: instant(releases_at),
    region: plan.region[0] === "worldwide" ? "worldwide" : plan.region,
    deal: deal && {
      price: toDecimal(deal.price_cents),
      ends_at: instant(deal.ends_at),
      quantity: deal.quantity,
    },
    activation: plan.activation && { url: plan.activation.url, steps: inOrder(plan.activation.steps) },
    includes: plan.includes && inOrder(plan.includes),
  });
}

/** The record of a product: an import of it changes nothing. Times are instants, and the picture is one that the shop has. */
export function toCatalogRecord(product: StoredProduct): ProductRecord {
  return withoutAbsent<ProductRecord>({
    kind: "product",
    ...(byField((field) => product[field] ?? undefined) as EveryField<PlainFields>),
    image: product.image === PLACEHOLDER ? undefined : storedPicture(product.image),
    sort_num: product.sort_num,
    listed: product.listed ? undefined : false,
    texts: inOrder(product.texts),
    search_terms: product.search_terms,
    activation: { url: product.activation.url, steps: inOrder(product.activation.steps) },
    plans: product.plans.map(toPlanRecord),
  });
}

/** A category and a group of synonyms as the database holds them. */
export type CategoryRow = Omit<CategoryRecord, "kind" | "texts"> & {
  texts: Partial<NonNullable<CategoryRecord["texts"]>>;
  source: LineSource;
  import_hash: string;
};
export type SynonymsRow = Omit<SynonymsRecord, "kind"> & { source: LineSource; import_hash: string };

/** The record of a category. */
export const toCategoryRecord = ({
  slug,
  sort_num,
  hue,
  names,
  texts,
  search_terms,
}: Omit<CategoryRow, "source" | "import_hash">): CategoryRecord => ({
  kind: "category",
  slug,
  sort_num,
  hue,
  names: inOrder(names),
  ...(texts.en !== undefined && { texts: inOrder({ ...texts, en: texts.en }) }),
  search_terms,
});

/** Whether a time of a record is this instant. A duration has no instant of its own. */
export const isInstant = (time: string, instant: string): boolean =>
  !isRelativeTime(time) && resolveTime(time, new Date(0)).getTime() === new Date(instant).getTime();

/**
 * A record in the form in which `toCatalogRecord` gives it: with the hash of its picture, instants for times, and without what a
 * product does not keep. A relative time that the previous record had means the instant that it got then.
 */
export function normalizeRecord(
  { image: _path, listed, ...line }: ProductRecord,
  {
    picture,
    current,
    unchanged,
    now,
  }: {
    /** the hash of the record's picture */
    picture: string | null;
    /** the product's record; null: it is new */
    current: ProductRecord | null;
    /** the times of the previous record, by plan */
    unchanged: Readonly<Record<string, { releases_on?: string; ends_at?: string }>>;
    now: Date;
  },
): ProductRecord {
  const plans = line.plans.map((plan) => {
    const kind = planKind(plan);
    const stored = current?.plans.find((candidate) => planKind(candidate) === kind);
    const instant = (time: string, before: string | undefined, storedTime: string | undefined | null) =>
      time === before && isRelativeTime(time) && storedTime
        ? storedTime
        : resolveTime(time, now).toISOString();
    const { deal, availability, releases_on } = plan;
    const hasEnded = deal !== null && !stored?.deal && unchanged[kind]?.ends_at === deal.ends_at;
    return {
      ...plan,
      releases_on:
        availability !== "in_stock" && releases_on !== null
          ? instant(releases_on, unchanged[kind]?.releases_on, stored?.releases_on)
          : null,
      deal:
        deal === null || hasEnded
          ? null
          : { ...deal, ends_at: instant(deal.ends_at, unchanged[kind]?.ends_at, stored?.deal?.ends_at) },
    };
  });
  return {
    ...line,
    ...(picture !== null && { image: storedPicture(picture) }),
    ...(listed === false && { listed }),
    plans,
  };
}
