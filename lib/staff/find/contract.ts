import { z } from "zod";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import { Instant, Usd } from "@/lib/platform/api/fields";

/** POST /admin/find: the text is nowhere stored, because it may be an activation code. */
export const FindInput = z.object({ q: z.string().trim().min(1).max(500) });

export const HIT_KINDS = ["order", "payment", "customer", "product", "merchant", "coupon", "key"] as const;

export const FindHit = z.object({
  kind: z.enum(HIT_KINDS),
  /** the record's id; of a payment, its order's; of a code, its order's or, unsold, its own; of a vendor, its name in addresses */
  id: z.string(),
  /** the plan of a code without an order */
  vip_id: z.int().nullable(),
  /** the account of a coupon's owner; of others, and of a coupon without an owner, null */
  owner_id: z.string().nullable(),
  /** what a person recognises it by: a number, an address, a name */
  title: z.string(),
  /** an order's status, a product's vendor, a coupon's or a code's state */
  detail: z.string().nullable(),
  /** the order of the hit; null: it is none */
  order: z
    .object({
      order_number: z.string(),
      at: Instant,
      amount: Usd,
      status: z.enum(ORDER_STATUSES),
      /** its first pass, and how many more there are */
      pass: z.string(),
      more: z.int(),
    })
    .nullable(),
});
export type FindHit = z.output<typeof FindHit>;
export const FindResult = z.object({ items: z.array(FindHit) });
export type FindResult = z.output<typeof FindResult>;
