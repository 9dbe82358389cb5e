/** The figures of a day (UTC) for charts. Money in cents. */
export type DayFigures = {
  /** 2026-11-24 */
  day: string;
  /** paid orders, free ones included */
  orders: number;
  revenueCents: number;
  refundedCents: number;
  /** refunded money as a share of the day's revenue, from 0; null without revenue */
  refundShare: number | null;
  /** median seconds from payment to the sending of the codes, without pre-orders; null without a delivery */
  deliverySeconds: number | null;
  /** plans whose last available code was taken on the day */
  stockOuts: number;
};

/** The days that a chart may show. */
export const FIGURE_DAYS = [7, 30, 90] as const;
export type FigureDays = (typeof FIGURE_DAYS)[number];
