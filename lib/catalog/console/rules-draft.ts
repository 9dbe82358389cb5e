import type { PlanRecord, ProductRecord } from "@/lib/catalog/import/contract";
import type { PlainFields } from "@/lib/catalog/import/contract-fields";
import {
  byField,
  type EveryField,
  PLAIN_FIELDS,
  type PlainField,
  withoutAbsent,
} from "@/lib/catalog/import/rules-fields";
import { planKind } from "@/lib/catalog/import/rules-line";
import { type Availability, PASS_DAYS, type PassType } from "@/lib/catalog/rules";
import { byLocale, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { parseTypedAmount, parseTypedNumber } from "@/lib/platform/typed-number";

// A product's record as the fields of the editor hold it: texts, with one item of a list on each line.

export type ByLocale<T> = Record<Locale, T>;
export type DraftTexts = { name: string; tagline: string; description: string; includes: string };
export type DraftGuide = { url: string; steps: ByLocale<string> };
export type DraftDeal = { price: string; ends_at: string; quantity: string };
export type DraftPlan = {
  /** identifies a row while it is edited; for a stored plan, its kind */
  key: string;
  type: PassType;
  days: string;
  price: string;
  list_price: string;
  purchase_limit: string;
  /** empty: the default */
  redeem_margin_days: string;
  availability: Availability;
  releases_on: string;
  /** country codes; empty: worldwide */
  region: string;
  deal: DraftDeal | null;
  activation: DraftGuide | null;
  includes: ByLocale<string>;
};
export type Draft = Record<PlainField, string> & {
  /** `stored:` and a hash; empty: the placeholder */
  image: string;
  sort_num: string;
  listed: boolean;
  texts: ByLocale<DraftTexts>;
  search_terms: ByLocale<string>;
  activation: DraftGuide;
  plans: DraftPlan[];
};

/** A list as the lines of a text. */
export const joinItems = (items: readonly string[] | undefined) => (items ?? []).join("\n");
const numberText = (value: number | null | undefined) => String(value ?? "");

const amountText = (usd: number | null) => (usd === null ? "" : usd.toFixed(2));

/** A time as the browser's field for times has it: minutes, in UTC. */
export const toTimeField = (instant: string | null): string => (instant ?? "").slice(0, 16);

const toGuide = ({ url, steps }: ProductRecord["activation"]): DraftGuide => ({
  url: url ?? "",
  steps: byLocale((locale) => joinItems(steps[locale])),
});

export const toDraftPlan = (plan: PlanRecord, key: string): DraftPlan => ({
  key,
  type: plan.type,
  days: numberText(plan.duration_days),
  price: amountText(plan.price),
  list_price: amountText(plan.list_price),
  purchase_limit: numberText(plan.purchase_limit),
  redeem_margin_days: numberText(plan.redeem_margin_days),
  availability: plan.availability,
  releases_on: toTimeField(plan.releases_on),
  region: plan.region === "worldwide" ? "" : plan.region.join(", "),
  deal: plan.deal && {
    price: amountText(plan.deal.price),
    ends_at: toTimeField(plan.deal.ends_at),
    quantity: numberText(plan.deal.quantity),
  },
  activation: plan.activation && toGuide(plan.activation),
  includes: byLocale((locale) => joinItems(plan.includes?.[locale])),
});

export const toDraft = (line: ProductRecord): Draft => ({
  ...byField((field) => String(line[field] ?? "")),
  image: line.image ?? "",
  sort_num: numberText(line.sort_num),
  listed: line.listed ?? true,
  texts: byLocale((locale) => {
    const texts = line.texts[locale];
    return {
      name: texts?.name ?? "",
      tagline: texts?.tagline ?? "",
      description: texts?.description ?? "",
      includes: joinItems(texts?.includes),
    };
  }),
  search_terms: byLocale((locale) => joinItems(line.search_terms[locale])),
  activation: toGuide(line.activation),
  plans: line.plans.map((plan) => toDraftPlan(plan, planKind(plan))),
});

/** A plan to begin with; its price is still to be given. */
export const newDraftPlan = (key: string, type: PassType = "week"): DraftPlan => ({
  key,
  type,
  days: numberText(PASS_DAYS[type]),
  price: "",
  list_price: "",
  purchase_limit: "",
  redeem_margin_days: "",
  availability: "in_stock",
  releases_on: "",
  region: "",
  deal: null,
  activation: null,
  includes: byLocale(() => ""),
});

export const newDraft = (category: string): Draft => ({
  ...byField(() => ""),
  category,
  image: "",
  sort_num: "0",
  listed: true,
  texts: byLocale(() => ({ name: "", tagline: "", description: "", includes: "" })),
  search_terms: byLocale(() => ""),
  activation: { url: "", steps: byLocale(() => "") },
  plans: [newDraftPlan("new")],
});

/** The lines of a text, without empty ones. */
export const splitItems = (text: string): string[] =>
  text
    .split("\n")
    .map((item) => item.trim())
    .filter(Boolean);

/** NaN for a text that is not a number, which the call rejects with the field's name. */
export const toNumber = parseTypedNumber;
const toNumberOrNull = (text: string): number | null => (text.trim() === "" ? null : parseTypedAmount(text));

/** The instant of a time field; any other text is unchanged, so that the call rejects it. */
export function fromTimeField(text: string): string {
  const time = new Date(`${text}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

/** The languages with items; English always, so that a list without items is refused. */
function localizedItems(texts: ByLocale<string>): { en: string[] } & Partial<ByLocale<string[]>> {
  const others = LOCALES.filter((locale) => locale !== "en" && splitItems(texts[locale]).length > 0);
  return {
    en: splitItems(texts.en),
    ...Object.fromEntries(others.map((locale) => [locale, splitItems(texts[locale])])),
  };
}

const fromGuide = ({ url, steps }: DraftGuide): ProductRecord["activation"] => ({
  url: url.trim() === "" ? null : url.trim(),
  steps: localizedItems(steps),
});

function fromDraftPlan(draft: DraftPlan): PlanRecord {
  const countries = draft.region
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const hasIncludes = LOCALES.some((locale) => splitItems(draft.includes[locale]).length > 0);
  return withoutAbsent<PlanRecord>({
    type: draft.type,
    duration_days: draft.type === "lifetime" ? null : toNumber(draft.days),
    price: toNumber(draft.price),
    list_price: toNumberOrNull(draft.list_price),
    purchase_limit: toNumberOrNull(draft.purchase_limit),
    redeem_margin_days:
      draft.redeem_margin_days.trim() === "" ? undefined : toNumber(draft.redeem_margin_days),
    availability: draft.availability,
    releases_on:
      draft.availability !== "in_stock" && draft.releases_on !== "" ? fromTimeField(draft.releases_on) : null,
    region: countries.length === 0 ? "worldwide" : countries,
    deal: draft.deal && {
      price: toNumber(draft.deal.price),
      ends_at: fromTimeField(draft.deal.ends_at),
      quantity: toNumber(draft.deal.quantity),
    },
    activation: draft.activation && fromGuide(draft.activation),
    includes: hasIncludes ? localizedItems(draft.includes) : null,
  });
}

/** A plain field as it was typed; an empty one has no value. */
function typedField(draft: Draft, field: PlainField): string | number | undefined {
  const text = draft[field].trim();
  if (text === "") return undefined;
  return PLAIN_FIELDS[field].type === "number" ? toNumber(text) : text;
}

/** Whether a language has any text. One without is left out of the record. */
const hasTexts = (texts: DraftTexts) => Object.values(texts).some((text) => text.trim() !== "");

/** The record of a draft. Fields may be invalid, as typed: the call rejects them. */
export function fromDraft(draft: Draft): ProductRecord {
  const texts = (locale: Locale) => {
    const { name, tagline, description, includes } = draft.texts[locale];
    return { name, tagline, description, includes: splitItems(includes) };
  };
  const translations = LOCALES.filter((locale) => locale !== "en" && hasTexts(draft.texts[locale]));
  const terms = LOCALES.filter((locale) => splitItems(draft.search_terms[locale]).length > 0);
  return withoutAbsent<ProductRecord>({
    kind: "product",
    ...(byField((field) => typedField(draft, field)) as EveryField<PlainFields>),
    // A required field is rejected as empty, not as missing.
    slug: draft.slug.trim(),
    vendor: draft.vendor,
    category: draft.category,
    image: draft.image === "" ? undefined : draft.image,
    sort_num: toNumber(draft.sort_num),
    listed: draft.listed ? undefined : false,
    texts: { en: texts("en"), ...Object.fromEntries(translations.map((locale) => [locale, texts(locale)])) },
    search_terms: Object.fromEntries(terms.map((locale) => [locale, splitItems(draft.search_terms[locale])])),
    activation: fromGuide(draft.activation),
    plans: draft.plans.map(fromDraftPlan),
  });
}

const sameText = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The record of a draft that began as another one. What was not edited stays exactly as it was, such as the seconds of a time or
 * a text of several lines within a list.
 */
export function editedRecord(draft: Draft, base: ProductRecord): ProductRecord {
  const start = toDraft(base);
  const next = fromDraft(draft);
  const plans = draft.plans.map((plan, i) => {
    const at = start.plans.findIndex(({ key }) => key === plan.key);
    const [was, line] = [start.plans[at], base.plans[at]];
    const edited = next.plans[i]!;
    if (!was || !line) return edited;
    return {
      ...edited,
      ...(plan.releases_on === was.releases_on &&
        edited.releases_on !== null && { releases_on: line.releases_on }),
      ...(sameText(plan.activation, was.activation) && { activation: line.activation }),
      ...(sameText(plan.includes, was.includes) && { includes: line.includes }),
      ...(edited.deal &&
        line.deal &&
        plan.deal?.ends_at === was.deal?.ends_at && { deal: { ...edited.deal, ends_at: line.deal.ends_at } }),
    };
  });
  const kept = LOCALES.filter(
    (locale) => sameText(draft.texts[locale], start.texts[locale]) && base.texts[locale],
  );
  return {
    ...next,
    texts: { ...next.texts, ...Object.fromEntries(kept.map((locale) => [locale, base.texts[locale]])) },
    ...(sameText(draft.search_terms, start.search_terms) && { search_terms: base.search_terms }),
    ...(sameText(draft.activation, start.activation) && { activation: base.activation }),
    plans,
  };
}
