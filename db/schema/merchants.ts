import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { PASS_TYPES } from "@/lib/catalog/rules";
import {
  APPLICATION_STATES,
  CHANGE_KINDS,
  CHANGE_RISKS,
  CHANGE_STATES,
  DISCOUNT_FUNDERS,
  MERCHANT_ROLES,
  SALE_STATES,
} from "@/lib/merchants/rules";
import {
  CHECK_METHODS,
  DOCUMENT_KINDS,
  DOCUMENT_STATES,
  DOCUMENT_TYPES,
  TRADE_FIELDS,
  TRADE_FILE_STATES,
} from "@/lib/merchants/trade-file/rules";
import type { MerchantNotice } from "@/lib/notifications/rules";
import { REPLY_STATES } from "@/lib/reviews/rules";
import { userId } from "./accounts";
import { categories, merchantId, merchants, planId, productId, products } from "./catalog";
import { at, bytea, createdAt, id, oneOf, reference } from "./columns";
import { orderId, orderLines } from "./orders";
import { reviews } from "./reviews";

/** Merchant applications (docs/product.md#31-fields-in-calls). A refused address may apply again. */
export const merchantApplications = pgTable(
  "merchant_applications",
  {
    id: id(),
    email: text("email").notNull(),
    productUrl: text("product_url").notNull(),
    phoneNum: text("phone_num").notNull(),
    locale: text("locale").notNull(),
    source: jsonb("source").$type<Record<string, string>>(),
    state: text("state", { enum: APPLICATION_STATES }).notNull().default("received"),
    createdAt: createdAt(),
    decidedAt: at("decided_at"),
    /** The deciding staff member, and the note for the applicant. */
    decidedBy: text("decided_by"),
    note: text("note"),
  },
  (t) => [
    uniqueIndex("merchant_applications_one").on(t.email).where(sql`state <> 'refused'`),
    // The lists of the staff console (docs/performance.md#staff-console).
    index("merchant_applications_by_time").on(t.createdAt, t.id),
    index("merchant_applications_by_state").on(t.state, t.createdAt, t.id),
    index("merchant_applications_by_email").on(sql`${t.email} collate "C"`, t.createdAt, t.id),
    check("merchant_applications_state", oneOf("state", APPLICATION_STATES)),
    check("merchant_applications_lower", sql`email = lower(email)`),
  ],
);

/**
 * Who sells for a merchant. A member who leaves ends the row. A merchant with members has an owner among them
 * (db/functions/check_merchant_owner.sql).
 */
export const merchantMembers = pgTable(
  "merchant_members",
  {
    id: id(),
    merchantId: merchantId(),
    userId: userId(),
    role: text("role", { enum: MERCHANT_ROLES }).notNull(),
    /** the user who invited; null: staff */
    invitedBy: text("invited_by"),
    /** which emails the person chose (MERCHANT_NOTICES); without a choice owners get them, members do not */
    notices: jsonb("notices").$type<Partial<Record<MerchantNotice, boolean>>>().notNull().default({}),
    createdAt: createdAt(),
    endedAt: at("ended_at"),
    endedBy: text("ended_by"),
  },
  (t) => [
    uniqueIndex("merchant_members_live").on(t.merchantId, t.userId).where(sql`ended_at is null`),
    // Former members too: a request that one of them answered was decided by the merchant.
    index("merchant_members_of_merchant").on(t.merchantId, t.userId),
    index("merchant_members_of_user").on(t.userId).where(sql`ended_at is null`),
    check("merchant_members_role", oneOf("role", MERCHANT_ROLES)),
  ],
);

/** Invitations to become owner or member; the link holds the token, of which only a keyed hash is kept. */
export const merchantInvites = pgTable(
  "merchant_invites",
  {
    id: id(),
    merchantId: merchantId(),
    email: text("email").notNull(),
    role: text("role", { enum: MERCHANT_ROLES }).notNull(),
    locale: text("locale").notNull(),
    tokenHash: text("token_hash").notNull(),
    /** a user's id: a member of staff, or an owner */
    invitedBy: text("invited_by").notNull(),
    createdAt: createdAt(),
    expiresAt: at("expires_at").notNull(),
    acceptedAt: at("accepted_at"),
    /** withdrawn, or replaced by another one */
    revokedAt: at("revoked_at"),
  },
  (t) => [
    uniqueIndex("merchant_invites_token").on(t.tokenHash),
    index("merchant_invites_by_email").on(t.email).concurrently(),
    uniqueIndex("merchant_invites_open")
      .on(t.merchantId, t.email)
      .where(sql`accepted_at is null and revoked_at is null`),
    check("merchant_invites_role", oneOf("role", MERCHANT_ROLES)),
    check("merchant_invites_lower", sql`email = lower(email)`),
  ],
);

/** Tokens of programs that work for a merchant (`plm_live_<id>_<secret>`); the secret is shown once and kept as a keyed hash. */
export const apiTokens = pgTable(
  "api_tokens",
  {
    id: id(),
    merchantId: merchantId(),
    name: text("name").notNull(),
    secretHash: text("secret_hash").notNull(),
    /** lib/merchants/rules.ts TOKEN_SCOPES */
    scopes: text("scopes").array().notNull(),
    /** addresses and networks (CIDR) from which it works; empty: from everywhere */
    networks: text("networks").array().notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
    expiresAt: at("expires_at"),
    lastUsedAt: at("last_used_at"),
    revokedAt: at("revoked_at"),
    revokedBy: text("revoked_by"),
  },
  (t) => [index("api_tokens_of_merchant").on(t.merchantId, t.createdAt, t.id)],
);

/**
 * A merchant's change of a product, or a new product. Nothing of it is live before its approval, which requires that
 * the product still has the revision on which the change was made.
 */
export const productChanges = pgTable(
  "product_changes",
  {
    id: id(),
    merchantId: merchantId(),
    /** null: a new product */
    productId: integer("product_id").references(() => products.id),
    state: text("state", { enum: CHANGE_STATES }).notNull().default("draft"),
    baseRevision: integer("base_revision").notNull(),
    kind: text("kind", { enum: CHANGE_KINDS }).notNull(),
    risk: text("risk", { enum: CHANGE_RISKS }).notNull(),
    /** the whole product as a catalogue line (lib/catalog/import/contract.ts) */
    content: jsonb("content").$type<Record<string, unknown>>().notNull(),
    /** staff's answer: why it is returned or refused */
    note: text("note"),
    /** a user's id, or `token:` and a token's id */
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().default(sql`shop_now()`),
    proposedAt: at("proposed_at"),
    /** a user's id, or `automatic` */
    decidedBy: text("decided_by"),
    decidedAt: at("decided_at"),
    /** the product's revision that the approval wrote */
    revision: integer("revision"),
  },
  (t) => [
    index("product_changes_of_merchant").on(t.merchantId, t.createdAt, t.id),
    index("product_changes_by_state").on(t.state, t.proposedAt, t.id),
    index("product_changes_of_product").on(t.productId, t.createdAt),
    check("product_changes_state", oneOf("state", CHANGE_STATES)),
    check("product_changes_kind", oneOf("kind", CHANGE_KINDS)),
    check("product_changes_risk", oneOf("risk", CHANGE_RISKS)),
    check(
      "product_changes_decided",
      sql`(state in ('approved', 'refused')) = (decided_at is not null) and (state = 'draft' or state = 'cancelled' or proposed_at is not null)`,
    ),
  ],
);

/** What a merchant keeps of each sold line; written by the assignment job and by refunds, never by order create. Cents of USD. */
export const merchantSales = pgTable(
  "merchant_sales",
  {
    lineId: text("line_id")
      .primaryKey()
      .references(() => orderLines.id),
    merchantId: merchantId(),
    orderId: orderId(),
    productId: productId(),
    planId: planId(),
    soldAt: at("sold_at").notNull(),
    /** the buyer under a name that only this merchant's sales have in common */
    buyer: text("buyer").notNull(),
    units: integer("units").notNull(),
    refundedUnits: integer("refunded_units").notNull().default(0),
    grossCents: integer("gross_cents").notNull(),
    discountCents: integer("discount_cents").notNull(),
    fundedBy: text("funded_by", { enum: DISCOUNT_FUNDERS }).notNull(),
    ruleId: reference("rule_id", () => commissionRules.id),
    /** of the whole line; refunds reduce both in proportion */
    commissionCents: integer("commission_cents").notNull(),
    netCents: integer("net_cents").notNull(),
    /** the tax within the price on which both are reckoned */
    taxCents: integer("tax_cents").notNull().default(0),
    /** what the buyer got back */
    refundedCents: integer("refunded_cents").notNull().default(0),
    /** the part of commission and net that refunds took back */
    commissionBackCents: integer("commission_back_cents").notNull().default(0),
    netBackCents: integer("net_back_cents").notNull().default(0),
    state: text("state", { enum: SALE_STATES }).notNull().default("sold"),
    /** when the net amount can be paid out */
    availableAt: at("available_at").notNull(),
    /** what the ledger has of the net amount that is left */
    bookedCents: integer("booked_cents").notNull().default(0),
    /** what of it was sent to the merchant and has not come back */
    paidOutCents: integer("paid_out_cents").notNull().default(0),
  },
  (t) => [
    index("merchant_sales_unbooked")
      .on(t.lineId)
      .concurrently()
      .where(sql`booked_cents <> net_cents - net_back_cents`),
    index("merchant_sales_unpaid")
      .on(t.merchantId, t.lineId)
      .concurrently()
      .where(sql`booked_cents <> paid_out_cents`),
    index("merchant_sales_held").on(t.merchantId, t.availableAt, t.lineId).concurrently(),
    index("merchant_sales_by_time").on(t.merchantId, t.soldAt, t.lineId),
    index("merchant_sales_by_state").on(t.merchantId, t.state, t.soldAt, t.lineId),
    index("merchant_sales_of_plan").on(t.planId, t.soldAt, t.lineId),
    index("merchant_sales_of_product").on(t.productId, t.soldAt, t.lineId),
    check("merchant_sales_state", oneOf("state", SALE_STATES)),
    check("merchant_sales_funded_by", oneOf("funded_by", DISCOUNT_FUNDERS)),
    check(
      "merchant_sales_refunded",
      // With the tax that was added to the price; the line's own check has the upper bound.
      sql`refunded_units between 0 and units and refunded_cents >= 0`,
    ),
  ],
);

/**
 * What merchants sold in the last days and what the shop paid of it by coupons, as a nightly job counts it
 * (lib/merchants/discounts/count-shop-discounts.ts).
 */
export const merchantDiscounts = pgTable(
  "merchant_discounts",
  {
    merchantId: merchantId().primaryKey(),
    grossCents: bigint("gross_cents", { mode: "number" }).notNull(),
    discountCents: bigint("discount_cents", { mode: "number" }).notNull(),
    /** since when the shop's part is high, or high again after staff looked at it; null: it is not */
    highSince: at("high_since"),
    /** When staff last looked at it, with the sums that they saw; null: it waits for them, or they never did. */
    lookedAt: at("looked_at"),
    lookedGrossCents: bigint("looked_gross_cents", { mode: "number" }),
    lookedDiscountCents: bigint("looked_discount_cents", { mode: "number" }),
    countedAt: at("counted_at").notNull(),
  },
  (t) => [index("merchant_discounts_high").on(t.highSince).where(sql`high_since is not null`)],
);

/**
 * What the shop keeps of a sale: `bps` of its gross amount and a fixed part for each unit. The most specific rule that was
 * valid at the sale counts (merchant, then category, then pass type; null: all); append-only.
 */
export const commissionRules = pgTable(
  "commission_rules",
  {
    id: id(),
    merchantId: text("merchant_id").references(() => merchants.id),
    category: text("category").references(() => categories.slug),
    passType: text("pass_type", { enum: PASS_TYPES }),
    /** hundredths of a per cent */
    bps: integer("bps").notNull(),
    fixedCents: integer("fixed_cents").notNull().default(0),
    validFrom: at("valid_from").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("commission_rules_of_merchant").on(t.merchantId, t.validFrom),
    check("commission_rules_amounts", sql`bps between 0 and 10000 and fixed_cents >= 0`),
    check("commission_rules_type", sql`pass_type is null or ${oneOf("pass_type", PASS_TYPES)}`),
  ],
);

/** A merchant's public answer to a review, which staff show or refuse. */
export const reviewReplies = pgTable(
  "review_replies",
  {
    reviewId: text("review_id")
      .primaryKey()
      .references(() => reviews.id),
    merchantId: merchantId(),
    text: text("text").notNull(),
    locale: text("locale").notNull(),
    state: text("state", { enum: REPLY_STATES }).notNull().default("waiting"),
    /** a user's id, or `token:` and a token's id */
    writtenBy: text("written_by").notNull(),
    createdAt: createdAt(),
    decidedBy: text("decided_by"),
    decidedAt: at("decided_at"),
    note: text("note"),
  },
  (t) => [
    index("review_replies_by_state").on(t.state, t.createdAt, t.reviewId),
    index("review_replies_of_merchant").on(t.merchantId, t.createdAt, t.reviewId),
    check("review_replies_state", oneOf("state", REPLY_STATES)),
  ],
);

/** Views of a product's page on a day (UTC), counted from the visits by a job (lib/merchants/insight). */
export const productViewsDaily = pgTable(
  "product_views_daily",
  { productId: productId(), day: date("day").notNull(), views: integer("views").notNull() },
  (t) => [primaryKey({ columns: [t.productId, t.day] }), index("product_views_daily_by_day").on(t.day)],
);

/** How many carts a plan was put into on a day (UTC): those that still hold it, and those that became orders. */
export const planCartsDaily = pgTable(
  "plan_carts_daily",
  { planId: planId(), day: date("day").notNull(), carts: integer("carts").notNull() },
  (t) => [primaryKey({ columns: [t.planId, t.day] }), index("plan_carts_daily_by_day").on(t.day)],
);

/** Searches of the last weeks that show a product among the first results, counted every night. */
export const productSearches = pgTable(
  "product_searches",
  {
    productId: productId(),
    merchantId: merchantId(),
    /** folded, as the search compares it */
    content: text("content").notNull(),
    searches: integer("searches").notNull(),
    /** the product's place among the results, from 1 */
    place: integer("place").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.content] }),
    index("product_searches_of_merchant").on(t.merchantId, t.searches, t.productId),
  ],
);

/**
 * Who a merchant is before the law (docs/product.md#1412-trader-file), in sum: what is missing, to check and due. A merchant without
 * a row has given nothing.
 */
export const merchantTradeFiles = pgTable(
  "merchant_trade_files",
  {
    merchantId: merchantId().primaryKey(),
    /** Since when the shop asks for it: since the first owner. Null: staff keep the merchant, and it sells nothing of its own. */
    requiredAt: at("required_at"),
    state: text("state", { enum: TRADE_FILE_STATES }).notNull().default("incomplete"),
    /** Missing or expired fields, and given ones that staff have not checked. */
    missing: text("missing")
      .array()
      .notNull()
      .default(sql.raw(`'{${TRADE_FIELDS.join(",")}}'`)),
    unchecked: text("unchecked").array().notNull().default(sql`'{}'`),
    /** grows with each change; a decision names it */
    revision: integer("revision").notNull().default(0),
    /** when the next field expires, and for which expiry the owners were mailed */
    expiresAt: at("expires_at"),
    expiryMailed: at("expiry_mailed"),
    /** When the owners were told that it is incomplete, and when sales pause. */
    noticedAt: at("noticed_at"),
    dueAt: at("due_at"),
    remindedAt: at("reminded_at"),
    updatedAt: at("updated_at").notNull().default(sql`shop_now()`),
  },
  (t) => [
    index("merchant_trade_files_by_state")
      .on(t.state, t.updatedAt, t.merchantId)
      .where(sql`required_at is not null`),
    index("merchant_trade_files_by_time").on(t.updatedAt, t.merchantId).where(sql`required_at is not null`),
    index("merchant_trade_files_due").on(t.dueAt).where(sql`due_at is not null`),
    index("merchant_trade_files_expiring").on(t.expiresAt).where(sql`expires_at is not null`),
    check("merchant_trade_files_state", oneOf("state", TRADE_FILE_STATES)),
  ],
);

/** A field of a trader file. Without a value it is missing: `note` says what staff ask for. */
export const merchantTradeFields = pgTable(
  "merchant_trade_fields",
  {
    merchantId: merchantId(),
    field: text("field", { enum: TRADE_FIELDS }).notNull(),
    value: jsonb("value").$type<unknown>(),
    givenAt: at("given_at"),
    /** a user's id */
    givenBy: text("given_by"),
    checkedAt: at("checked_at"),
    checkedBy: text("checked_by"),
    checkedHow: text("checked_how", { enum: CHECK_METHODS }),
    /** Of a check what staff noted, of a missing one why they ask for it again. */
    note: text("note"),
    expiresAt: at("expires_at"),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.field] }),
    check("merchant_trade_fields_field", oneOf("field", TRADE_FIELDS)),
    check(
      "merchant_trade_fields_checked",
      sql`checked_at is null or (value is not null and checked_by is not null)`,
    ),
  ],
);

/**
 * A document of a trader file, sealed like codes (lib/platform/crypto/vault.ts). Only staff with the permission open it, and each
 * opening is audited.
 */
export const merchantDocuments = pgTable(
  "merchant_documents",
  {
    id: id(),
    merchantId: merchantId(),
    kind: text("kind", { enum: DOCUMENT_KINDS }).notNull(),
    /** as its file was called */
    name: text("name").notNull(),
    /** found in its bytes */
    mediaType: text("media_type", { enum: DOCUMENT_TYPES }).notNull(),
    bytes: integer("bytes").notNull(),
    sealed: bytea("sealed").notNull(),
    vaultKeyId: text("vault_key_id").notNull(),
    state: text("state", { enum: DOCUMENT_STATES }).notNull().default("given"),
    givenBy: text("given_by").notNull(),
    createdAt: createdAt(),
    checkedAt: at("checked_at"),
    checkedBy: text("checked_by"),
    note: text("note"),
    /** its own last day */
    expiresAt: at("expires_at"),
  },
  (t) => [
    index("merchant_documents_of_merchant").on(t.merchantId, t.createdAt, t.id),
    index("merchant_documents_by_vault_key").on(t.vaultKeyId, t.id),
    check("merchant_documents_kind", oneOf("kind", DOCUMENT_KINDS)),
    check("merchant_documents_type", oneOf("media_type", DOCUMENT_TYPES)),
    check("merchant_documents_state", oneOf("state", DOCUMENT_STATES)),
  ],
);
