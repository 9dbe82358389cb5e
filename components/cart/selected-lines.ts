import type { CartItem } from "@/lib/cart/contract";
import { holdMinutes } from "@/lib/orders/rules";

/** Returns whether the line can be checked out in its current state. */
export const canCheckOut = (item: CartItem) =>
  item.stock_state !== "sold_out" && item.quantity <= item.max_quantity;

export type SelectedLines = {
  ids: string[];
  passes: number;
  totalCents: number;
  /** How long an order of these lines holds them. */
  holdMinutes: number;
};

export function selectLines(items: readonly CartItem[]): SelectedLines {
  const lines = items.filter((item) => item.selected && canCheckOut(item));
  return {
    ids: lines.map((item) => item.cart_id),
    passes: lines.reduce((sum, item) => sum + item.quantity, 0),
    holdMinutes: holdMinutes(lines.map((item) => item.stock_state)),
    totalCents: lines.reduce((sum, item) => sum + Math.round(item.line_total * 100), 0),
  };
}
