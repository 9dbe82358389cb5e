import { z } from "zod";
import { FIGURE_DAYS } from "@/lib/orders/insight/contract";
import { Instant, IntParam, Usd } from "@/lib/platform/api/fields";
import { QUEUE_NAMES } from "@/lib/staff/today/rules";

/** GET /admin/today */
export const TodayInput = z.object({
  /** days of the figures, today included */
  days: IntParam.pipe(z.literal([...FIGURE_DAYS])).default(30),
});
export type TodayInput = z.output<typeof TodayInput>;

const TodayQueue = z.object({
  queue: z.enum(QUEUE_NAMES),
  /** counted to 99 */
  count: z.int(),
  /** there are more than `count` */
  more: z.boolean(),
  /** when the oldest began to wait; null: nothing waits */
  oldest_at: Instant.nullable(),
});
export type TodayQueue = z.output<typeof TodayQueue>;

const TodayFigures = z.object({
  /** a day in UTC */
  day: z.string(),
  /** paid orders, free ones included */
  orders: z.int(),
  revenue: Usd,
  refunded: Usd,
  /** refunded money as a share of the day's revenue, from 0; null: no revenue */
  refund_share: z.number().nullable(),
  /** median seconds from payment to the sending of the codes; null: nothing was delivered */
  delivery_seconds: z.number().nullable(),
  /** plans whose last available code was taken */
  stock_outs: z.int(),
});
export type TodayFigures = z.output<typeof TodayFigures>;

export const TodayView = z.object({
  /** those that the staff member may see */
  queues: z.array(TodayQueue),
  /** the oldest first */
  figures: z.array(TodayFigures),
});
export type TodayView = z.output<typeof TodayView>;

/** GET /admin/waiting */
export const WaitingView = TodayView.pick({ queues: true });
