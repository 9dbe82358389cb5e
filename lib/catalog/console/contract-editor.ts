import { z } from "zod";
import { ComparisonFields, ProductImageQuery } from "@/lib/catalog/contract";
import { PRICE_CHANGE_KINDS, RECORD_SOURCES } from "@/lib/catalog/rules";
import { ContentLanguage, Instant, IntParam, Usd } from "@/lib/platform/api/fields";

/** A record of the catalogue, as a line of an import (docs/product.md#812-imports); the problem of a field has its path there. */
export const ProductRecordShape = z.record(z.string(), z.unknown()).meta({
  description: "The line of the catalogue file (docs/product.md#812-imports).",
  example: { kind: "product", slug: "quillon-draft" },
});

export const ConsoleProductParams = z.object({ id: IntParam.positive().max(2_147_483_647) });
export type ConsoleProductParams = z.output<typeof ConsoleProductParams>;
const Revision = z.int().min(0).max(2_147_483_647);
const Note = z.string().trim().max(500).optional();
/** Answers what would change, and writes nothing. */
const Preview = z.boolean().default(false);

const Change = z.object({
  /** `texts.zh.tagline`, `plans.week:7.price` */
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const FieldChanges = z.array(Change);

/** What buyers see of a plan (`week:7`) after a change. */
export const PriceShown = z.object({
  plan: z.string(),
  price: Usd,
  ...ComparisonFields,
  /** of the reduction that is shown; null: none */
  percent: z.int().nullable(),
});
export type PriceShown = z.output<typeof PriceShown>;

/** A listed plan of a product with its live data. */
export const EditedPlan = z.object({
  /** `week:7` */
  plan: z.string(),
  vip_id: z.int(),
  /** what buyers see now */
  shown: PriceShown,
  /** available codes, counted to 100 */
  stock: z.int(),
  stock_exact: z.boolean(),
  /** units sold of the running deal; null: none runs */
  deal_sold: z.int().nullable(),
  /** the price history, in the order in which it was written */
  history: z.array(
    z.object({
      kind: z.enum(PRICE_CHANGE_KINDS),
      price: Usd.nullable(),
      at: Instant,
      deal_id: z.string().nullable(),
    }),
  ),
});
export type EditedPlan = z.output<typeof EditedPlan>;

/** GET /admin/products/{id} */
export const EditedProduct = z.object({
  product_id: z.int(),
  /** 0: from before revisions were kept */
  revision: z.int(),
  source: z.enum(RECORD_SOURCES),
  updated_at: Instant,
  /** who sells it */
  merchant: z.object({ merchant_id: z.string(), name: z.string() }),
  line: ProductRecordShape,
  verdicts: z.array(
    z.object({
      language: ContentLanguage,
      /** `english`: there is no translation, the English text is shown */
      state: z.enum(["shown", "english", "refused"]),
      flaws: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  ),
  plans: z.array(EditedPlan),
  /** it takes codes that may be mistaken for words */
  weak_codes: z.boolean(),
  /** plans that are no longer listed, as they were */
  earlier_plans: z.array(z.record(z.string(), z.unknown())),
});
export type EditedProduct = z.output<typeof EditedProduct>;

/** POST /admin/products/{id}/weak-codes */
export const WeakCodesInput = z.object({ allowed: z.boolean() });
export const WeakCodes = WeakCodesInput.extend({ product_id: z.int() });
export type WeakCodes = z.output<typeof WeakCodes>;

/** GET /admin/products/{id}/revisions */
export const RevisionsQuery = z.object({ before: IntParam.positive().max(2_147_483_647).optional() });
export const RevisionList = z.object({
  /** the newest first */
  items: z.array(
    z.object({
      revision: z.int(),
      source: z.enum(RECORD_SOURCES),
      /** an address, or the name of a merchant's token; null: an import */
      by: z.string().nullable(),
      at: Instant,
      note: z.string().nullable(),
      changes: FieldChanges,
    }),
  ),
  /** older ones, for `before`; null: none */
  next_before: z.int().nullable(),
});
export type RevisionList = z.output<typeof RevisionList>;

/** POST /admin/products, /admin/products/{id} */
export const NewProductInput = z.object({ line: ProductRecordShape, note: Note, preview: Preview });
export type NewProductInput = z.output<typeof NewProductInput>;
export const EditInput = z.object({
  base_revision: Revision,
  line: ProductRecordShape,
  note: Note,
  preview: Preview,
});
/** POST /admin/products/{id}/undo */
export const UndoInput = z.object({ base_revision: Revision, revision: Revision.min(1), preview: Preview });
export type UndoInput = z.output<typeof UndoInput>;
export type EditInput = z.output<typeof EditInput>;

export const EditResult = z.object({
  /** null: a preview of a new product */
  product_id: z.int().nullable(),
  slug: z.string(),
  /** of the record now; in a preview, the one that it would have */
  revision: z.int(),
  /** false: a preview, or nothing differs */
  saved: z.boolean(),
  /** A second person must approve the prices. */
  needs_approval: z.boolean(),
  changes: FieldChanges,
  /** plans whose prices change */
  prices: z.array(PriceShown),
});
export type EditResult = z.output<typeof EditResult>;

export const BULK_ACTIONS = ["pause", "resume", "list", "unlist", "category"] as const;
/** Products that one call changes. */
export const BULK_LIMIT = 500;
/** The revision that was shown of each product, by its id. */
export const ShownRevisions = z.record(z.string().regex(/^\d{1,10}$/), Revision);
export type ShownRevisions = z.output<typeof ShownRevisions>;
/** POST /admin/products/bulk */
export const BulkInput = z.object({
  product_ids: z.array(z.int().positive().max(2_147_483_647)).min(1).max(BULK_LIMIT),
  revisions: ShownRevisions.default({}).meta({
    description:
      "The revision of each product as it was listed, by its id: without it, or when one was changed since, the call answers 40940 and changes none.",
    example: { "1": 3 },
  }),
  action: z.enum(BULK_ACTIONS),
  /** of the action `category` */
  category: z.string().max(80).optional(),
  preview: Preview,
});
export type BulkInput = z.output<typeof BulkInput>;
export const BulkResult = z.object({
  changed: z.int(),
  unchanged: z.int(),
  refused: z.array(z.object({ product_id: z.int(), message: z.string() })),
  needs_approval: z.boolean(),
});
export type BulkResult = z.output<typeof BulkResult>;

/** GET /admin/categories, /admin/synonyms */
export const EditedRecords = z.object({
  items: z.array(
    z.object({
      slug: z.string(),
      revision: z.int(),
      source: z.enum(RECORD_SOURCES),
      line: ProductRecordShape,
      /** listed products of a category */
      products: z.int().nullable(),
    }),
  ),
});
export type EditedRecords = z.output<typeof EditedRecords>;
export const LineParams = z.object({ slug: z.string().min(1).max(80) });
/** POST /admin/categories/{slug}, /admin/synonyms/{slug}; a revision of 0 without a record: it is new. */
export const LineInput = z.object({ base_revision: Revision, line: ProductRecordShape, preview: Preview });
export type LineInput = z.output<typeof LineInput>;
export const LineResult = z.object({ slug: z.string(), revision: z.int(), saved: z.boolean() });
export type LineSaved = z.output<typeof LineResult>;

/** POST /admin/images */
export const UploadedImage = z.object({
  /** for `image` of a record */
  image: z.string(),
  hash: z.string(),
  width: z.int(),
  height: z.int(),
});
export type UploadedImage = z.output<typeof UploadedImage>;
export const ImageParams = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) });
/** `shape`: square, or in its own proportions as posts show it. */
export const StoredImageQuery = ProductImageQuery.extend({
  shape: z.enum(["square", "figure"]).default("square"),
});
