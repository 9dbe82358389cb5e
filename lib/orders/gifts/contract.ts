import { z } from "zod";
import { PASS_TYPES } from "@/lib/catalog/rules";
import type { OrderStatus } from "@/lib/orders/rules";
import { ActorFields, ContentLanguage, EmailAddress, Instant } from "@/lib/platform/api/fields";
import { GIFT_LINK_STATES, GIFT_MESSAGE_MAX, GIFT_STATES } from "./rules";
import { foldGiverName, isGiverName } from "./rules-name";

const OrderId = z.string().min(1).max(64);

/** A calendar day without a time: `2026-12-24`. */
const Day = z.iso.date({ error: "gift_date_wrong" }).meta({ example: "2026-12-24" });

const GiverName = z
  .string()
  .max(200, { error: "gift_from_wrong" })
  .transform(foldGiverName)
  .refine((name) => name === "" || isGiverName(name), { error: "gift_from_wrong" })
  .meta({ example: "Ann O’Brien-Lee" });

/** `POST /order/gift/save` (docs/product.md#75-orders-and-payment): the whole order becomes a gift to one recipient. */
export const SaveGiftInput = z.object({
  ...ActorFields,
  order_id: OrderId,
  recipient_email: EmailAddress,
  /** in the giver's time zone, today until 90 days ahead; default: today */
  deliver_on: Day.optional(),
  /** shown on the claim page, never in an email; default: none */
  message: z.string().trim().max(GIFT_MESSAGE_MAX).optional().meta({ example: "Happy birthday!" }),
  /** who gives it, in email and on the claim page; not for a free order; default: not said */
  from_name: GiverName.optional(),
});
export type SaveGiftInput = z.output<typeof SaveGiftInput>;

/** The gift of an order as its giver sees it. */
export const GiftView = z.object({
  state: z.enum(GIFT_STATES),
  /** null: erased with an account */
  recipient_email: z.string().nullable(),
  deliver_on: Day,
  /** its email is sent as soon as all codes are here; false: on `deliver_on`, or it was sent */
  due: z.boolean(),
  message: z.string(),
  /** empty: not said */
  from_name: z.string(),
  /** when the newest email with the link was sent */
  sent_at: Instant.nullable(),
  /** the email could not be delivered */
  email_failed: z.boolean(),
  /** the last moment to claim it; null before the first email */
  claim_until: Instant.nullable(),
  claimed_at: Instant.nullable(),
  returned_at: Instant.nullable(),
  /** recipient, date and message can be changed: until the email is sent, or when it could not be delivered */
  can_change: z.boolean(),
  /** the email can be sent again with a new link */
  can_resend: z.boolean(),
});
export type GiftView = z.output<typeof GiftView>;

export const GiftSaved = z.object({ order_id: z.string(), gift: GiftView });
export type GiftSaved = z.output<typeof GiftSaved>;

/** `gift` is null when the unpaid order is no longer a gift, else the returned gift. */
export const GiftRemoved = z.object({ order_id: z.string(), gift: GiftView.nullable() });
export type GiftRemoved = z.output<typeof GiftRemoved>;

/** The secret of a gift's link. */
export const GiftLinkInput = z.object({ ...ActorFields, token: z.string().min(1).max(120) });
export type GiftLinkInput = z.output<typeof GiftLinkInput>;

/** `proof`: the second secret of the first email, which verifies the address of an account that has it. */
export const ClaimGiftInput = GiftLinkInput.extend({ proof: z.string().min(1).max(120).optional() });
export type ClaimGiftInput = z.output<typeof ClaimGiftInput>;

const GiftPass = z.object({
  slug: z.string(),
  product_name: z.string(),
  product_image: z.string(),
  language: ContentLanguage,
  maker: z.string(),
  pass_type: z.enum(PASS_TYPES),
  vip_type: z.string(),
  duration_days: z.int().nullable(),
  /** units that are left to give */
  quantity: z.int(),
});

/** What a gift's link shows. */
export const GiftLinkView = z.object({
  state: z.enum(GIFT_LINK_STATES),
  /** the viewer has claimed it */
  yours: z.boolean(),
  /** the giver's words; only of an open gift and to the account that claimed it */
  message: z.string(),
  /** who gives it; empty: not said */
  from_name: z.string(),
  claim_until: Instant.nullable(),
  passes: z.array(GiftPass),
});
export type GiftLinkView = z.output<typeof GiftLinkView>;

export const GiftClaimed = z.object({ claimed_at: Instant, library_ids: z.array(z.string()) });
export type GiftClaimed = z.output<typeof GiftClaimed>;

/** A gift in its giver's library. */
export type GivenGift = {
  order_id: string;
  order_number: string;
  product_name: string;
  product_image: string;
  duration_days: number | null;
  language: z.output<typeof ContentLanguage>;
  /** further passes of the same gift */
  more: number;
  status: OrderStatus;
  dispute_open: boolean;
  dispute_lost: boolean;
  gift: GiftView;
};
