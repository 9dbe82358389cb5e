import { z } from "zod";
import {
  AVAILABILITIES,
  leastRedeemMargin,
  PASS_DAYS,
  PASS_TYPES,
  REDEEM_MARGIN_MAX,
} from "@/lib/catalog/rules";
import { findTranslationFlaw, translationMessage } from "@/lib/catalog/translation/rules";
import { MINIMUM_CHARGE_CENTS } from "@/lib/payments/rules";
import { CalendarDay, Instant } from "@/lib/platform/api/fields";
import type { Reason } from "@/lib/platform/error-messages";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { byLocale, byTranslation, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { hasUserinfo } from "@/lib/platform/web-address";
import { PlainFields } from "./contract-fields";
import { problem, slug, text } from "./contract-values";
import { isRelativeTime, planKind } from "./rules-line";

/** The lines of a catalogue file (JSON Lines): one category, one product or one group of synonyms each. Unknown fields are refused. */

const list = (max: number) => z.array(text(max)).min(1).max(12);

const price = z
  .number()
  .min(0)
  .max(100_000)
  .refine(
    (value) => Math.round(value * 100) / 100 === value,
    problem("line_price", "A price has at most two decimals."),
  );

/** `P9D` (counted from the import), `2026-12-31` (00:00 UTC) or a full instant. */
const timeSchema = z
  .string()
  .refine(
    (value) => isRelativeTime(value) || CalendarDay.or(Instant).safeParse(value).success,
    problem("line_time", "Give a duration such as P9D, a date, or an instant with its time zone."),
  );

type TranslatedText = { path: string[]; text: string | string[]; mayBeLatin?: boolean };

/** A value in each language; `texts` lists the texts in it, which are checked to be translations. */
const localized = <S extends z.ZodType>(shape: S, texts: (value: z.output<S>) => TranslatedText[]) =>
  z
    .strictObject({ en: shape, ...byTranslation(() => shape.optional()) })
    .superRefine((values: Partial<Record<Locale, z.output<S>>>, ctx) => {
      for (const locale of LOCALES)
        for (const { path, text, mayBeLatin } of values[locale] ? texts(values[locale]) : []) {
          const found = findTranslationFlaw(locale, [text].flat().join("\n"), { mayBeLatin });
          if (!found) continue;
          const { error, values } = found;
          const message = translationMessage(found);
          ctx.addIssue({ code: "custom", path: [locale, ...path], ...problem(error, message, values) });
        }
    });

const Names = localized(text(60), (name) => [{ path: [], text: name }]);

const Texts = localized(
  z.strictObject({ name: text(80), tagline: text(160), description: text(4000), includes: list(200) }),
  ({ name, tagline, description, includes }) => [
    { path: ["name"], text: name, mayBeLatin: true },
    { path: ["tagline"], text: tagline },
    { path: ["description"], text: description },
    { path: ["includes"], text: includes },
  ],
);

const Activation = z.strictObject({
  url: z
    .url({ protocol: /^https$/, error: "Give an address that begins with https." })
    .refine(
      (url) => !hasUserinfo(url),
      problem("line_userinfo", "Leave out the user name: the address leads to another site than it seems."),
    )
    .nullable()
    .default(null),
  steps: localized(list(300), (steps) => [{ path: [], text: steps }]),
});

const Region = z.union(
  [
    z.literal("worldwide"),
    z
      .array(z.string().regex(/^[A-Z]{2}$/))
      .min(1)
      .max(250),
  ],
  'Give "worldwide" or a list of two-letter country codes.',
);

/** In dollars: the payment provider's minimum charge. A pass below it is free (docs/product.md#84-free-passes-and-purchase-limits). */
const MIN_PRICE = MINIMUM_CHARGE_CENTS / 100;

const PlanShape = z.strictObject({
  type: z.enum(PASS_TYPES),
  duration_days: z.int().min(1).max(36_600).nullable().optional(),
  price,
  list_price: price.nullable().default(null),
  purchase_limit: z.int().min(1).max(1000).nullable().default(null),
  /** the least days between the sale of a code and its last day to redeem; default: 14, or the length of a day or week pass */
  redeem_margin_days: z.int().min(1).max(REDEEM_MARGIN_MAX).nullable().optional(),
  availability: z.enum(AVAILABILITIES).default("in_stock"),
  releases_on: timeSchema.nullable().default(null),
  region: Region.default("worldwide"),
  deal: z
    .strictObject({ price, ends_at: timeSchema, quantity: z.int().min(1).max(1_000_000) })
    .nullable()
    .default(null),
  activation: Activation.nullable().default(null),
  /** what this plan includes beyond the product's list, where plans differ */
  includes: localized(list(200), (includes) => [{ path: [], text: includes }])
    .nullable()
    .default(null),
});

const Plan = PlanShape.superRefine((plan, ctx) => {
  const reject = (path: string[], error: ErrorName, message: string, values?: ErrorParams) =>
    ctx.addIssue({ code: "custom", path, ...problem(error, message, { price: MIN_PRICE, ...values }) });
  const days = plan.duration_days ?? PASS_DAYS[plan.type];
  const least = leastRedeemMargin({ type: plan.type, days });
  if ((plan.redeem_margin_days ?? least) < least)
    reject(
      ["redeem_margin_days"],
      "line_redeem_margin",
      `Buyers of this pass need at least ${least} days to redeem the code: enter that or more.`,
      { days: least },
    );
  if (plan.type === "lifetime" && (plan.duration_days ?? null) !== null)
    reject(["duration_days"], "line_days", "A lifetime pass has no number of days.");
  if (plan.type !== "lifetime" && plan.duration_days === null)
    reject(["duration_days"], "line_days", "Only a lifetime pass has no number of days.");
  if (plan.list_price !== null && plan.list_price <= plan.price)
    reject(["list_price"], "line_list_price", "The list price must be above the price.");
  if (plan.price === 0 && plan.purchase_limit !== 1)
    reject(
      ["purchase_limit"],
      "line_free_limit",
      "A free pass is limited to one per user: purchase_limit must be 1.",
    );
  if (plan.availability === "pre_order" && plan.releases_on === null)
    reject(["releases_on"], "line_release", "A pre-order needs the date of its release.");
  if (plan.deal && plan.deal.price >= plan.price)
    reject(["deal", "price"], "line_deal_price", "The price of the deal must be below the price.");
  if (plan.deal && plan.deal.price < MIN_PRICE)
    reject(
      ["deal", "price"],
      "line_deal_minimum",
      `A deal costs at least ${MIN_PRICE} USD: the payment provider takes no less.`,
    );
}).transform(({ redeem_margin_days, ...plan }) => ({
  ...plan,
  // A plan without a margin of its own has no such field, so that lines from before it are unchanged.
  ...(redeem_margin_days !== null && redeem_margin_days !== undefined && { redeem_margin_days }),
  ...(plan.price < MIN_PRICE && { price: 0, purchase_limit: 1 }),
  duration_days: plan.duration_days ?? PASS_DAYS[plan.type],
}));
export type PlanRecord = z.output<typeof Plan>;

/** Tasks and synonyms by language. They are found by the search and not shown; terms of another script are allowed. */
const SearchTerms = z.strictObject(byLocale(() => z.array(text(60)).max(60).optional()));

export const CategoryRecord = z.strictObject({
  kind: z.literal("category"),
  slug,
  sort_num: z.int().min(-1_000_000).max(1_000_000),
  /** hue in degrees */
  hue: z.int().min(0).max(359),
  names: Names,
  /** a paragraph about the category, for its page */
  texts: localized(text(600), (value) => [{ path: [], text: value }]).optional(),
  search_terms: SearchTerms.default({}),
});
export type CategoryRecord = z.output<typeof CategoryRecord>;

/** A group of words with one meaning: a product that one of them finds is found by all. An empty group is removed. */
export const SynonymsRecord = z
  .strictObject({ kind: z.literal("synonyms"), slug, terms: SearchTerms })
  .refine(({ terms }) => Object.values(terms).flat().length !== 1, {
    path: ["terms"],
    ...problem("line_synonyms", "A group of synonyms needs at least two terms, or none to be removed."),
  });
export type SynonymsRecord = z.output<typeof SynonymsRecord>;

export const ProductRecord = z
  .strictObject({
    kind: z.literal("product"),
    ...PlainFields.shape,
    /** the path of a picture beside the file, or `stored:` and the hash of one in the shop; without one the placeholder is shown */
    image: z.string().min(1).max(300).optional(),
    sort_num: z.int().min(-1_000_000).max(1_000_000),
    /** false: the product is neither shown nor sold */
    listed: z.boolean().optional(),
    texts: Texts,
    search_terms: SearchTerms.default({}),
    activation: Activation,
    plans: z.array(Plan).min(1, "A product needs at least one plan.").max(20),
  })
  .superRefine((product, ctx) => {
    const kinds = product.plans.map(planKind);
    for (const [index, kind] of kinds.entries())
      if (kinds.indexOf(kind) < index)
        ctx.addIssue({
          code: "custom",
          path: ["plans", index],
          ...problem("line_plan_twice", `The plan ${kind} is named twice.`),
        });
  });
export type ProductRecord = z.output<typeof ProductRecord>;

/** Former names of fields, which are still accepted. */
export const FIELD_ALIASES: ReadonlyMap<string, string> = new Map([
  ["maker", "vendor"],
  ["maker_email", "vendor_email"],
]);

export const CatalogRecord = z.discriminatedUnion("kind", [CategoryRecord, ProductRecord, SynonymsRecord], {
  error: 'kind must be "category", "product" or "synonyms".',
});
export type CatalogRecord = z.output<typeof CatalogRecord>;

/** Why a line was rejected, with its number (from 1) and field; the console says it in the reader's language. */
export type ImportError = { line: number; path: string } & Reason;
