import { z } from "zod";
import { REPLACEMENT_NOTE_MAX, REPLACEMENT_REASON_MAX, REPLACEMENT_STATES } from "@/lib/delivery/rules";
import { ContentLanguage, Instant } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";

/** GET /admin/replacements: the open ones, oldest first; decided ones with the newest first. */
export const ConsoleReplacementsInput = z.object({
  cursor: Cursor,
  state: z.enum(REPLACEMENT_STATES).default("asked"),
  /** requests of one account */
  customer_id: z.string().min(1).max(64).optional(),
});
export type ConsoleReplacementsInput = z.output<typeof ConsoleReplacementsInput>;

/** What stops the approval of an open request. */
const REPLACEMENT_BLOCKS = [
  "own_request",
  "disputed",
  "refund_requested",
  "code_locked",
  "no_stock",
] as const;

export const ConsoleReplacement = z.object({
  request_id: z.string(),
  state: z.enum(REPLACEMENT_STATES),
  asked_at: Instant,
  /** the requester's words, with codes masked */
  reason: z.string(),
  /** the address of the staff member who requested it for the buyer; null: the buyer did */
  asked_by: z.string().nullable(),
  order_id: z.string(),
  order_number: z.string(),
  /** the code that does not work, by its reference */
  key_id: z.string(),
  vip_id: z.int(),
  product_name: z.string(),
  vip_type: z.string(),
  customer_id: z.string(),
  email: z.string(),
  /** the language of the account, in which a refusal's reason is read */
  reader: ContentLanguage,
  /** how often the code was shown or mailed */
  shown: z.int(),
  /** earlier requests of the same account, counted to 100, and those of them that were approved */
  earlier: z.int(),
  earlier_approved: z.int(),
  /** available codes of the plan, counted to 100 */
  stock: z.int(),
  /** the merchant's file that brought the code; null: an import by the shop */
  batch_id: z.string().nullable(),
  batch_name: z.string().nullable(),
  /**
   * of the newest open and approved requests (400 each), those about codes of this batch, with this one; null: this one is
   * decided, or there is no batch
   */
  batch_requests: z.int().nullable(),
  /** null: it can be approved, or is decided */
  blocked_by: z.enum(REPLACEMENT_BLOCKS).nullable(),
  decided_at: Instant.nullable(),
  /** an address, the name of a merchant's token, or `staff:` and an operating system user */
  decided_by: z.string().nullable(),
  version: Version,
});
export type ConsoleReplacement = z.output<typeof ConsoleReplacement>;
export const ConsoleReplacementList = listOf(ConsoleReplacement);
export type ConsoleReplacementList = z.output<typeof ConsoleReplacementList>;

export const ReplacementParams = z.object({ id: z.string().trim().min(1).max(64) });
/** POST /admin/replacements/{id}/refuse: the reason is mailed to the owner of the code. */
export const RefuseReplacementInput = SeenVersion.extend({
  reason: z.string().trim().min(1).max(REPLACEMENT_NOTE_MAX).meta({ example: "The vendor says it works." }),
});
export type RefuseReplacementInput = z.output<typeof RefuseReplacementInput>;
export const ReplacementDecided = z.object({
  request_id: z.string(),
  state: z.enum(["approved", "refused"]),
  /** the reference of the new code of an approved request */
  new_key_id: z.string().nullable(),
});
export type ReplacementDecided = z.output<typeof ReplacementDecided>;

/** POST /admin/orders/{id}/replace */
export const OrderReplacementInput = SeenVersion.extend({
  /** the reference of the code */
  key_id: z.string().min(1).max(64),
  /** for staff and the merchant */
  reason: z
    .string()
    .trim()
    .min(3)
    .max(REPLACEMENT_REASON_MAX)
    .meta({ example: "The customer sent a screenshot: already used." }),
});
export type OrderReplacementInput = z.output<typeof OrderReplacementInput>;
export const OrderReplacementRequested = z.object({
  request_id: z.string(),
  order_id: z.string(),
  key_id: z.string(),
  state: z.literal("asked"),
  asked_at: Instant,
});
export type OrderReplacementRequested = z.output<typeof OrderReplacementRequested>;
