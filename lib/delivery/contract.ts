import { z } from "zod";
import { ActivationView } from "@/lib/catalog/contract";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { ContentLanguage, Instant, Usd } from "@/lib/platform/api/fields";
import { REPLACEMENT_REASON_MAX, REPLACEMENT_STATES, REVEAL_WAYS } from "./rules";

/** A time at which a code was shown or mailed to its owner. */
export const RevealView = z.object({
  at: Instant,
  way: z.enum(REVEAL_WAYS),
  /** The device's name: "Firefox, Windows"; null for an email. */
  device: z.string().nullable(),
});
export type RevealView = z.output<typeof RevealView>;

/** The state of a replacement request. `approved` is shown with the new code. */
const ReplacementView = z.object({
  state: z.enum(REPLACEMENT_STATES),
  /** staff asked for the owner */
  asked_by_staff: z.boolean(),
  asked_at: Instant,
  decided_at: Instant.nullable(),
});

/** An owned pass, its code masked. */
export const LibraryItem = z.object({
  library_id: z.string(),
  /** null: a gift that the viewer claimed, so the order is its giver's */
  order_id: z.string().nullable(),
  order_product_id: z.string(),
  product_id: z.int(),
  vip_id: z.int(),
  /** the pass was paid for; whether its plan is still sold shows when it is ordered */
  can_buy_again: z.boolean(),
  /** what the viewer paid for one unit before a coupon; null: a gift that the viewer claimed */
  price: Usd.nullable(),
  slug: z.string(),
  product_name: z.string(),
  product_image: z.string(),
  language: ContentLanguage,
  maker: z.string(),
  pass_type: z.enum(PASS_TYPES),
  /** the name of the pass in the reader's language */
  vip_type: z.string(),
  duration_days: z.int().nullable(),
  masked_code: z.string(),
  assigned_at: Instant,
  revealed_at: Instant.nullable(),
  /** the code was shown or mailed; an unrevealed one can be given back while the right of withdrawal lasts */
  seen: z.boolean(),
  /** the code stays unrevealed by choice: revealing it is the consent to immediate delivery */
  needs_consent: z.boolean(),
  /** last moment to redeem the code at the vendor, when the vendor sets one */
  redeem_by: Instant.nullable(),
  /** a refund is requested: the code stays locked until the decision */
  refund_asked: z.boolean(),
  /** the payment is disputed: the code stays locked until the decision, and for good when the dispute is lost */
  disputed: z.boolean(),
  /** the payment is being checked after a warning of its bank: the unseen code stays locked until then */
  payment_checked: z.boolean(),
  /** when the gift was claimed; null: not a gift, or one that returned */
  gift_claimed_at: Instant.nullable(),
  /** start of the pass as set by its owner */
  activated_at: Instant.nullable(),
  /** the owner may set or correct the start, which needs a code that was seen */
  can_activate: z.boolean(),
  /** end of the pass, from the activation, else from the first reveal; null before, and for lifetime passes */
  ends_at: Instant.nullable(),
  /** times at which the code was shown or mailed, newest first, at most 50 */
  reveals: z.array(RevealView),
  replacement: ReplacementView.nullable(),
  activation: ActivationView,
});
export type LibraryItem = z.output<typeof LibraryItem>;

export const LibraryList = z.object({ items: z.array(LibraryItem), total: z.int(), server_time: Instant });
export type LibraryList = z.output<typeof LibraryList>;

const LibraryId = z.string().min(1).max(64);

export const RevealKeyInput = z.object({ library_id: LibraryId });
export type RevealKeyInput = z.output<typeof RevealKeyInput>;

export const RevealedKey = z.object({ library_id: z.string(), code: z.string(), revealed_at: Instant });
export type RevealedKey = z.output<typeof RevealedKey>;

export const ActivatePassInput = z.object({
  library_id: LibraryId,
  /** start of the pass; default: now */
  activated_at: Instant.optional(),
});
export type ActivatePassInput = z.output<typeof ActivatePassInput>;

export const ActivatedPass = z.object({
  library_id: z.string(),
  activated_at: Instant,
  ends_at: Instant.nullable(),
});
export type ActivatedPass = z.output<typeof ActivatedPass>;

export const ReplaceKeyInput = z.object({
  library_id: LibraryId,
  reason: z
    .string()
    .trim()
    .min(1)
    .max(REPLACEMENT_REASON_MAX)
    .meta({ example: "The vendor says it is used." }),
});
export type ReplaceKeyInput = z.output<typeof ReplaceKeyInput>;

export const ReplacementRequested = ReplacementView.extend({ library_id: z.string() });
export type ReplacementRequested = z.output<typeof ReplacementRequested>;

export const CalendarQuery = z.object({ library_id: LibraryId });
export type CalendarQuery = z.output<typeof CalendarQuery>;
