import { z } from "zod";
import { RefundView } from "@/lib/payments/refunds/contract";
import { ContentLanguage, Instant, IntParam, Page, PageSize, Usd, UsdParam } from "@/lib/platform/api/fields";
import { IMAGE_WIDTHS } from "@/lib/platform/images/widths";
import { ShownFields } from "./import/contract-fields";
import { toPassType } from "./pricing/rules-label";
import { PASS_TYPES, PRODUCT_SORTS } from "./rules";

const PassType = z.enum(PASS_TYPES);

/** Whether a plan or product can be bought now. `low`: few enough to show the number. */
export const StockState = z.enum(["in_stock", "low", "pre_order", "sold_out"]);
export type StockState = z.output<typeof StockState>;

export const DealView = z.object({ ends_at: Instant, quantity: z.int(), items_left: z.int() });
export type DealView = z.output<typeof DealView>;

export const ActivationView = z.object({ url: z.string().nullable(), steps: z.array(z.string()) });
export type ActivationView = z.output<typeof ActivationView>;

/** The higher price beside the current one (docs/product.md#818-prices-and-their-history). */
export const ComparisonFields = {
  /** null: none */
  list_price: Usd.nullable(),
  /** `previous`: charged here before a reduction; `vendor`: the vendor's list price, not charged here for 90 days */
  list_price_kind: z.enum(["previous", "vendor"]).nullable(),
  /** the lowest price here in the 30 days before the reduction; null unless `previous` */
  lowest_price_30d: Usd.nullable(),
};

/** A plan of a product (docs/product.md#31-fields-in-calls). `price` is the current one, including a running deal. */
export const VipOption = z.object({
  vip_id: z.int(),
  /** the name of the pass in the reader's language: "Week pass", "3-day pass" */
  vip_type: z.string(),
  pass_type: PassType,
  /** null: lifetime */
  duration_days: z.int().nullable(),
  price: Usd,
  ...ComparisonFields,
  /** null: lifetime, or free */
  price_per_day: z.number().nullable(),
  stock: z.int(),
  stock_state: StockState,
  purchase_limit: z.int().nullable(),
  region: z.array(z.string()),
  releases_at: Instant.nullable(),
  /** the next key to be sold must be redeemed by then, the earliest of several; null: no such date */
  redeem_by: Instant.nullable(),
  /** codes are sold only while their last day to redeem is at least this many days away */
  redeem_margin_days: z.int(),
  deal: DealView.nullable(),
  activation: ActivationView,
  /** what this plan includes beyond the product's `includes`; empty where plans do not differ */
  includes: z.array(z.string()),
  refund: RefundView,
});
export type VipOption = z.output<typeof VipOption>;

/** The average of published reviews, from 1 to 5 with one decimal, and their number. */
const RatingView = z.object({ average: z.number(), count: z.int() });

/** A product in a list; `pass_type` … `price_per_day` are those of its cheapest plan that can be bought. */
export const ProductItem = z.object({
  product_id: z.int(),
  ...ShownFields,
  product_name: z.string(),
  product_tagline: z.string(),
  product_description: z.string(),
  product_image: z.string(),
  maker: z.string(),
  /** of the address of the vendor's page, `/vendor/{vendor_slug}` */
  vendor_slug: z.string(),
  category_name: z.string(),
  /** language of the texts; English when there is no translation */
  language: ContentLanguage,
  price: Usd,
  ...ComparisonFields,
  price_per_day: z.number().nullable(),
  vip_id: z.int(),
  pass_type: PassType,
  vip_type: z.string(),
  duration_days: z.int().nullable(),
  stock: z.int(),
  stock_state: StockState,
  sort_num: z.int(),
  deal: DealView.nullable(),
  /** of the published reviews; null without any */
  rating: RatingView.nullable(),
});
export type ProductItem = z.output<typeof ProductItem>;

export const ProductList = z.object({
  items: z.array(ProductItem),
  total: z.int(),
  total_exact: z.boolean(),
});
export type ProductList = z.output<typeof ProductList>;

export const ProductDetail = ProductItem.extend({
  includes: z.array(z.string()),
  /** the merchant who sells it; `handle` is of the address of its page, `/seller/{handle}` */
  seller: z.object({
    handle: z.string(),
    name: z.string(),
    /** the legal name with the city; the rest is on the seller page. null: not given yet */
    legal_name: z.string().nullable(),
    city: z.string().nullable(),
  }),
  vip_options: z.array(VipOption),
  /** languages with a translation */
  languages: z.array(ContentLanguage),
  server_time: Instant,
});
export type ProductDetail = z.output<typeof ProductDetail>;

export const CategoryView = z.object({ category: z.string(), category_name: z.string(), total: z.int() });
export type CategoryView = z.output<typeof CategoryView>;

/** A category with its page's text (null: none) and artwork: a hue in degrees and pictures of its products. */
export type CategoryCard = CategoryView & { hue: number; text: string | null; images: readonly string[] };

/** The page of a category or vendor; `others` are the other categories. */
export type CategoryPage = { category: CategoryCard; others: readonly CategoryView[]; products: ProductList };
/** The products of a vendor or merchant, with their categories and pictures for its artwork. */
export type ProductRange = {
  images: readonly string[];
  categories: readonly CategoryView[];
  products: ProductList;
};
export type VendorPage = ProductRange & { vendor: string; vendor_slug: string };

/** A pass to compare: a plan with its product. */
export type ComparedPass = { product: Omit<ProductDetail, "vip_options">; plan: VipOption };

/** True counts: products, vendors, passes on sale, delivered codes. */
export type ShopStats = { products: number; vendors: number; plans: number; delivered: number };

const ListFilters = {
  sort: z.enum(PRODUCT_SORTS).default("recommend"),
  category: z.string().max(60).optional(),
  /** the type, or its label in any language, as `vip_type` of a product has it */
  vip_type: z.string().transform(toPassType).pipe(PassType).meta({ example: "week" }).optional(),
  pass_type: PassType.optional(),
  in_stock: z.stringbool().or(z.boolean()).meta({ example: true }).optional(),
  price_from: UsdParam.optional(),
  price_to: UsdParam.optional(),
  price_per_day_to: UsdParam.optional(),
  page: Page,
  size: PageSize,
};

export const ListProductsInput = z.object(ListFilters);
export type ListProductsInput = z.output<typeof ListProductsInput>;

export const SearchProductsInput = z.object({
  keyword: z.string().trim().max(200).default(""),
  /** the handle of the merchant who sells it, as in `/seller/{handle}` */
  seller: z.string().max(60).optional(),
  ...ListFilters,
});
export type SearchProductsInput = z.output<typeof SearchProductsInput>;

export const ProductParams = z.object({ id: IntParam.min(1).max(2_147_483_647) });

/** `GET /product/refund`: a plan on sale. */
export const RefundSheetQuery = z.object({ vip_id: IntParam.min(1).max(2_147_483_647) });

export const CategoryList = z.object({ items: z.array(CategoryView), total: z.int() });
export type CategoryList = z.output<typeof CategoryList>;

/** `v` is the picture's version, as in `product_image`. */
export const ProductImageQuery = z.object({
  width: IntParam.pipe(z.literal(IMAGE_WIDTHS)).default(480),
  v: z.string().max(64).optional(),
});
export type ProductImageQuery = z.output<typeof ProductImageQuery>;
