import { z } from "zod";
import { ConsoleProduct } from "@/lib/catalog/console/contract";
import {
  EditedPlan,
  EditedProduct,
  FieldChanges,
  PriceShown,
  ProductRecordShape,
} from "@/lib/catalog/console/contract-editor";
import { CHANGE_KINDS, CHANGE_RISKS, CHANGE_STATES } from "@/lib/merchants/rules";
import { Instant, IntParam, Usd } from "@/lib/platform/api/fields";
import { Cursor, Flag, listOf, NewestFirst } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";

const Id = z.int().positive().max(2_147_483_647);
const IdParam = IntParam.positive().max(2_147_483_647);

/** `sold`: shown and sold; `unlisted`: the shop does not list it; `blocked`: off the shop with its merchant */
const PRODUCT_STATES = ["sold", "unlisted", "blocked"] as const;

/** The newest change of a product that is not decided. */
const OpenChange = z.object({ change_id: z.string(), state: z.enum(CHANGE_STATES) });

/** The newest change of the last days that the shop made of a product; null: none */
const ShopChange = z.object({ change_id: z.string(), at: Instant });

/** GET /merchant/products: the newest first. */
export const MerchantProductsInput = z.object({
  cursor: Cursor,
  product_id: IdParam.optional(),
  /** the beginning of a name */
  name: z.string().trim().min(1).max(120).optional(),
  category: z.string().trim().min(1).max(120).optional(),
  /** a language lacks its texts */
  untranslated: Flag.optional(),
  /** no code of any plan is available */
  no_stock: Flag.optional(),
});
export type MerchantProductsInput = z.output<typeof MerchantProductsInput>;
export const MerchantProductRow = ConsoleProduct.omit({ vendor_slug: true, listed: true }).extend({
  state: z.enum(PRODUCT_STATES),
  open_change: OpenChange.nullable(),
  shop_change: ShopChange.nullable(),
});
export type MerchantProductRow = z.output<typeof MerchantProductRow>;
export const MerchantProductList = listOf(MerchantProductRow);
export type MerchantProductList = z.output<typeof MerchantProductList>;

/** GET /merchant/products/{id} */
export const ProductParams = z.object({ id: IdParam });
/** The product of a page's address; for other text 0, which no product has. */
export const productIdOf = (id: string): number => ProductParams.safeParse({ id }).data?.id ?? 0;
export const MerchantProduct = EditedProduct.extend({
  state: z.enum(PRODUCT_STATES),
  open_changes: z.array(OpenChange),
  shop_change: ShopChange.nullable(),
  /** the shop's current commission by plan: a percentage of the price, and a fixed part */
  commission: z.array(z.object({ plan: z.string(), percent: z.number(), fixed: Usd })),
});
export type MerchantProduct = z.output<typeof MerchantProduct>;

/** GET /merchant/plans/{id}/prices */
export const PlanParams = z.object({ id: IdParam });
export const PlanPrices = EditedPlan.pick({ plan: true, vip_id: true, shown: true, history: true }).extend({
  product_id: z.int(),
});
export type PlanPrices = z.output<typeof PlanPrices>;

/** POST /merchant/plans/{id}/pause, /resume */
export const PlanPaused = z.object({ vip_id: z.int(), paused: z.boolean(), revision: z.int() });
export type PlanPaused = z.output<typeof PlanPaused>;

/** POST /merchant/products/{id}/pause, /resume: the plans that changed. */
export const ProductPaused = z.object({ product_id: z.int(), plans: z.array(z.string()), revision: z.int() });
export type ProductPaused = z.output<typeof ProductPaused>;

/** POST /merchant/plans/{id}/price: with `preview` it answers the effect, and writes nothing. */
export const PlanPriceInput = z.object({ price: Usd, preview: z.boolean().default(false) });

/** GET /merchant/changes: the newest first. */
export const MerchantChangesInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  state: z.enum(CHANGE_STATES).optional(),
  product_id: IdParam.optional(),
});
export type MerchantChangesInput = z.output<typeof MerchantChangesInput>;

export const MerchantChange = z.object({
  change_id: z.string(),
  /** null: a new product that is not approved */
  product_id: z.int().nullable(),
  product_name: z.string(),
  kind: z.enum(CHANGE_KINDS),
  risk: z.enum(CHANGE_RISKS),
  state: z.enum(CHANGE_STATES),
  /** the revision on which it was made; 0: a new product, or one from before revisions were kept */
  base_revision: z.int(),
  /** the shop's answer: why it was returned or refused */
  note: z.string().nullable(),
  /** an address, the name of a token, or `shop` */
  created_by: z.string(),
  /** The shop made it: it is live, and no one proposed it. */
  by_shop: z.boolean(),
  created_at: Instant,
  updated_at: Instant,
  proposed_at: Instant.nullable(),
  decided_at: Instant.nullable(),
  /** it needed no person's approval */
  automatic: z.boolean(),
  /** of the product, written by the approval */
  revision: z.int().nullable(),
});
export type MerchantChange = z.output<typeof MerchantChange>;
export const MerchantChangeList = listOf(MerchantChange);
export type MerchantChangeList = z.output<typeof MerchantChangeList>;

/** What an approval would meet now. */
export const ChangeCheck = z.object({
  /** The shop has changed fields of the change too: see `conflicts`. */
  stale: z.boolean(),
  /** The product was changed since: `changes` and `prices` are those on its newest revision. */
  rebased: z.boolean(),
  /** the product's newest revision; 0: a new product */
  revision: z.int(),
  /** fields that were changed here and meanwhile in the shop, with both values; null: the field is absent */
  conflicts: z.array(
    z.object({ path: z.string(), mine: z.string().nullable(), theirs: z.string().nullable() }),
  ),
  /** what is wrong with its fields */
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
  /** Its prices differ by more than half from those of 24 hours ago. */
  needs_approval: z.boolean(),
  /** what buyers will see of the plans whose prices change */
  prices: z.array(PriceShown),
});
export type ChangeCheck = z.output<typeof ChangeCheck>;

/** GET /merchant/changes/{id} */
export const ChangeParams = z.object({ id: z.string().trim().min(1).max(64) });
export const MerchantChangeDetail = MerchantChange.extend({
  line: ProductRecordShape,
  /** compared with the product's record on which it was made; an open change is compared with the newest one */
  changes: FieldChanges,
  /** null: it is decided or cancelled */
  check: ChangeCheck.nullable(),
  /** saving, proposing and taking back name it */
  version: Version,
});
export type MerchantChangeDetail = z.output<typeof MerchantChangeDetail>;

const Saved = {
  /** 0 for a new product */
  base_revision: z.int().min(0).max(2_147_483_647),
  line: ProductRecordShape,
  preview: z.boolean().default(false),
};
/** POST /merchant/changes; without `product_id` a new product. */
export const NewChangeInput = z.object({ product_id: Id.nullable().default(null), ...Saved });
export type NewChangeInput = z.output<typeof NewChangeInput>;
/** POST /merchant/changes/{id} */
export const SaveChangeInput = SeenVersion.extend(Saved);
export type SaveChangeInput = z.output<typeof SaveChangeInput>;

export const ChangeSaved = z.object({
  /** null in a preview of a new change */
  change_id: z.string().nullable(),
  /** of the change as it is stored; null in a preview of a new one */
  version: Version.nullable(),
  product_id: z.int().nullable(),
  state: z.enum(CHANGE_STATES),
  kind: z.enum(CHANGE_KINDS),
  risk: z.enum(CHANGE_RISKS),
  /** Once it is proposed it passes without a person. */
  automatic: z.boolean(),
  /** Its prices differ by more than half from those of 24 hours ago. */
  needs_approval: z.boolean(),
  changes: FieldChanges,
  /** what buyers will see of the plans whose prices change */
  prices: z.array(PriceShown),
});
export type ChangeSaved = z.output<typeof ChangeSaved>;

/** POST /merchant/changes/{id}/propose, /cancel */
export const ChangeMoved = z.object({
  change_id: z.string(),
  state: z.enum(CHANGE_STATES),
  /** of the product, if it was approved automatically */
  revision: z.int().nullable(),
});
export type ChangeMoved = z.output<typeof ChangeMoved>;
