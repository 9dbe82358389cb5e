import { sql } from "drizzle-orm";
import { NEEDS_REVIEW } from "@/lib/merchants/discounts/mark-discounts-reviewed";
import type { QueueState } from "@/lib/platform/console/list";
import { countQueue } from "@/lib/platform/console/query";

/** Merchants whose imports are stopped until staff allow them, longest first. */
export const countStoppedMerchants = (): Promise<QueueState> =>
  countQueue(
    sql`select m.keys_stopped_at as at from merchants m where m.keys_stopped_at is not null order by m.keys_stopped_at`,
  );

/** Merchants with a high, unreviewed share of sales paid by the shop's coupons, longest first. */
export const countDiscountedMerchants = (): Promise<QueueState> =>
  countQueue(
    sql`select d.high_since as at from merchant_discounts d where ${NEEDS_REVIEW} order by d.high_since`,
  );

/** Merchants that request another name, the longest waiting first. */
export const countRenamedMerchants = (): Promise<QueueState> =>
  countQueue(
    sql`select m.proposed_name_at as at from merchants m where m.proposed_name_at is not null order by m.proposed_name_at`,
  );
