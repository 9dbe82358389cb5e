import type { DayFigures } from "@/lib/orders/insight/contract";

export const WEEK_FIGURES = ["revenue", "orders", "refund_share", "paid_to_key", "stock_outs"] as const;
export type WeekFigureName = (typeof WEEK_FIGURES)[number];

/** A figure of the last seven days beside that of the seven before. Money in cents; null: there is none. */
export type WeekFigure = {
  name: WeekFigureName;
  value: number | null;
  before: number | null;
  /** by day, both weeks, the oldest first */
  days: (number | null)[];
};

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return sorted.length === 0 ? null : (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

type Figure = {
  day: (row: DayFigures) => number | null;
  week: (rows: readonly DayFigures[]) => number | null;
};

const total = (field: "revenueCents" | "orders" | "stockOuts"): Figure => ({
  day: (row) => row[field],
  week: (rows) => sum(rows.map((row) => row[field])),
});

const FIGURES: Record<WeekFigureName, Figure> = {
  revenue: total("revenueCents"),
  orders: total("orders"),
  refund_share: {
    day: ({ refundShare }) => refundShare,
    week: (rows) => {
      const revenue = sum(rows.map(({ revenueCents }) => revenueCents));
      return revenue > 0 ? sum(rows.map(({ refundedCents }) => refundedCents)) / revenue : null;
    },
  },
  paid_to_key: {
    day: ({ deliverySeconds }) => deliverySeconds,
    week: (rows) => median(rows.flatMap(({ deliverySeconds }) => deliverySeconds ?? [])),
  },
  stock_outs: total("stockOuts"),
};

/** The figures of the last `days` days, each beside that of as many days before. `rows`: the oldest first. */
export const compareFigures = (rows: readonly DayFigures[], days: number): WeekFigure[] =>
  WEEK_FIGURES.map((name) => ({
    name,
    value: FIGURES[name].week(rows.slice(-days)),
    before: FIGURES[name].week(rows.slice(-2 * days, -days)),
    days: rows.slice(-2 * days).map(FIGURES[name].day),
  }));
