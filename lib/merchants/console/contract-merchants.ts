import { z } from "zod";
import {
  HANDLE_PATTERN,
  MERCHANT_ROLES,
  MERCHANT_STATES,
  MERCHANT_TRUST,
  STATE_NOTE_MAX,
} from "@/lib/merchants/rules";
import { EmailAddress, Instant, Usd } from "@/lib/platform/api/fields";
import { Cursor, Flag, listOf, NewestFirst } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";

/** GET /admin/merchants: newest first; with `name` by name. */
export const ConsoleMerchantsInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  /** the beginning of the name */
  name: z.string().trim().toLowerCase().min(1).max(80).optional(),
  state: z.enum(MERCHANT_STATES).optional(),
  /** without members, and not ended: the approval of an application may take it */
  unowned: Flag.optional(),
  /** may add no codes, because too many of its codes were those of others */
  keys_stopped: Flag.optional(),
  /**
   * the shop's coupons paid a high share of its sales, which no one has reviewed
   * (docs/product.md#146-sales-requests-replies-and-insight)
   */
  high_discounts: Flag.optional(),
  /** requests another name */
  renamed: Flag.optional(),
});
export type ConsoleMerchantsInput = z.output<typeof ConsoleMerchantsInput>;

/** What the shop paid of a merchant's sales by its coupons, as the last night counted it; null: not counted yet. */
const Discounts = z
  .object({
    /** prices before discounts, of the sales of the last 30 days that were not returned whole */
    gross: Usd,
    shop_paid: Usd,
    /** shop_paid ÷ gross; null: nothing was sold */
    share: z.number().nullable(),
    /** since when the share is high, or high again after a review; null if it is not */
    high_since: Instant.nullable(),
    /** when it was reviewed; it waits for staff again once it has grown by a fifth or 30 days have passed */
    looked_at: Instant.nullable(),
    /** a review names it */
    version: Version,
  })
  .nullable();
export type Discounts = z.output<typeof Discounts>;

const Facts = {
  merchant_id: z.string(),
  handle: z.string(),
  name: z.string(),
  state: z.enum(MERCHANT_STATES),
  trust: z.enum(MERCHANT_TRUST),
  created_at: Instant,
};
export const ConsoleMerchant = z.object({
  ...Facts,
  /** requests another name */
  renamed: z.boolean(),
  /** counted to 20 */
  members: z.int(),
  products: z.int(),
  products_exact: z.boolean(),
  /** of the last 30 days, counted to 20 */
  sales: z.int(),
  sales_exact: z.boolean(),
  discounts: Discounts,
});
export type ConsoleMerchant = z.output<typeof ConsoleMerchant>;
export const ConsoleMerchantList = listOf(ConsoleMerchant);
export type ConsoleMerchantList = z.output<typeof ConsoleMerchantList>;

export const MerchantParams = z.object({ id: z.string().trim().min(1).max(64) });

/** GET /admin/merchants/{id} */
export const ConsoleMerchantDetail = z.object({
  ...Facts,
  /** a decision about the merchant names it */
  version: Version,
  /** the requested name; a decision names its version. null: none */
  proposed_name: z.object({ name: z.string(), at: Instant, version: Version }).nullable(),
  state_note: z.string().nullable(),
  /** since when it may add no codes, because too many of its codes were those of others; null: it may */
  keys_stopped_at: Instant.nullable(),
  /** of that stop; who lifts it names it */
  keys_version: Version,
  state_at: Instant,
  country: z.string().nullable(),
  locale: z.string(),
  support_email: z.string().nullable(),
  website: z.string().nullable(),
  closed_until: Instant.nullable(),
  application_id: z.string().nullable(),
  members: z.array(
    z.object({
      member_id: z.string(),
      user_id: z.string(),
      email: z.string(),
      name: z.string(),
      role: z.enum(MERCHANT_ROLES),
      since: Instant,
      enrolled: z.boolean(),
    }),
  ),
  invites: z.array(
    z.object({
      invite_id: z.string(),
      email: z.string(),
      role: z.enum(MERCHANT_ROLES),
      created_at: Instant,
      expires_at: Instant,
      expired: z.boolean(),
    }),
  ),
  tokens: z.array(
    z.object({
      token_id: z.string(),
      name: z.string(),
      created_at: Instant,
      last_used_at: Instant.nullable(),
      revoked: z.boolean(),
    }),
  ),
  /** the newest 100 */
  products: z.array(
    z.object({ product_id: z.int(), slug: z.string(), name: z.string(), on_sale: z.boolean() }),
  ),
  products_total: z.int(),
  /** of the last 30 days; `exact` false: of the newest 2,000 sales only */
  sales: z.object({
    lines: z.int(),
    units: z.int(),
    gross: Usd,
    net: Usd,
    refunded: Usd,
    exact: z.boolean(),
  }),
  /** replaced codes of these sales */
  replaced: z.int(),
  discounts: Discounts,
  history: z.array(
    z.object({ entry_id: z.int(), at: Instant, actor: z.string(), action: z.string(), note: z.string() }),
  ),
});
export type ConsoleMerchantDetail = z.output<typeof ConsoleMerchantDetail>;

/** POST /admin/merchants/{id}/invite: an owner. */
export const MerchantInviteInput = z.object({ email: EmailAddress });
const Note = z.string().trim().min(1).max(STATE_NOTE_MAX);
/** POST /admin/merchants/{id}/pause and /resume: the note is mailed to the owners. */
export const MerchantStateInput = SeenVersion.extend({ note: Note.optional() });
/** POST /admin/merchants/{id}/suspend and /end */
export const MerchantReasonInput = SeenVersion.extend({
  note: Note.meta({ example: "Codes of your last upload did not work." }),
});
export const MerchantState = z.object({ merchant_id: z.string(), state: z.enum(MERCHANT_STATES) });
export const MerchantTrustInput = SeenVersion.extend({ trust: z.enum(MERCHANT_TRUST) });
export const MerchantTrust = z.object({ merchant_id: z.string(), trust: z.enum(MERCHANT_TRUST) });
export const MerchantInvited = z.object({ merchant_id: z.string(), invite_id: z.string() });

/** The merchant of an approved application. */
export const Handle = z.string().trim().toLowerCase().regex(HANDLE_PATTERN, { error: "handle_invalid" });

/** POST /admin/merchants/{id}/discounts-looked: `version` is that of `discounts`. */
export const ReviewDiscountsInput = SeenVersion.extend({
  note: Note.optional().meta({ example: "A campaign for students, planned until June." }),
});
export const DiscountsReviewed = z.object({ merchant_id: z.string() });
export type DiscountsReviewed = z.output<typeof DiscountsReviewed>;

/** POST /admin/merchants/{id}/allow-keys */
export const KeysAllowed = z.object({ merchant_id: z.string() });
export type KeysAllowed = z.output<typeof KeysAllowed>;
