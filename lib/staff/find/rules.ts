import { foldOrderNumber } from "@/lib/platform/fold-text";

/** Digits that the running number of an order has at least. */
const RUNNING_DIGITS = 4;

/** What a part of an order's number names: month and running number of `2611-0042`, or the running number alone of `0042`. */
type OrderNumberPart = { month: string | null; running: string };

/** Reads a part of an order's number (`PL-2611-0042`): with or without its beginning, hyphens or spaces. null: it is not one. */
export function parseOrderNumberPart(text: string): OrderNumberPart | null {
  const plain = foldOrderNumber(text);
  const [, month, running] = /^(?:PL-)?(\d{2}(?:0[1-9]|1[0-2]))-?(\d{4,8})$/.exec(plain) ?? [];
  if (month && running) return { month, running };
  const [, alone] = /^(\d{3,8})$/.exec(plain) ?? [];
  return alone ? { month: null, running: alone.padStart(RUNNING_DIGITS, "0") } : null;
}
