import type { DayFigures } from "@/lib/orders/insight/contract";
import { listDayFigures } from "@/lib/orders/insight/list-day-figures";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { toDecimal } from "@/lib/platform/money";
import type { TodayFigures, TodayInput, TodayView } from "@/lib/staff/today/contract";
import { countQueues } from "@/lib/staff/today/count-queues";

/**
 * What waits for the staff member, and the figures of the last days, which a job keeps (docs/performance.md#staff-console).
 */
export const getToday = async (viewer: StaffViewer, { days }: TodayInput): Promise<TodayView> => ({
  queues: await countQueues(viewer),
  figures: (await listDayFigures(days)).map(toFigures),
});

const toFigures = (row: DayFigures): TodayFigures => ({
  day: row.day,
  orders: row.orders,
  revenue: toDecimal(row.revenueCents),
  refunded: toDecimal(row.refundedCents),
  refund_share: row.refundShare,
  delivery_seconds: row.deliverySeconds,
  stock_outs: row.stockOuts,
});
