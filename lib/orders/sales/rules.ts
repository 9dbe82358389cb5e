import { taxWithin } from "@/lib/payments/tax/rules";
import { splitByLargestRemainder } from "@/lib/platform/money";

/** Days after the delivery before which no net amount is payable. */
export const PAYABLE_AFTER_DAYS = 3;

const DAY_MS = 86_400_000;

/** `sold`: nothing came back. `reduced`: a part was refunded. `refunded`: all of it. */
export type SaleState = "sold" | "reduced" | "refunded";

/** What a sale costs: `grossCents` before the discount. */
export type SalePrice = {
  units: number;
  grossCents: number;
  discountCents: number;
  fundedBy: "shop" | "merchant";
  /** the rate of the tax that the price includes, 1900 for 19 % */
  taxBps?: number;
};

/** The tax within the price that is shared between the shop and the merchant. */
export const taxOfSale = ({ grossCents, discountCents, fundedBy, taxBps = 0 }: SalePrice): number =>
  taxWithin(fundedBy === "shop" ? grossCents : grossCents - discountCents, taxBps);

/**
 * What the shop keeps and what the merchant gets of the price without tax. A discount of the shop is its own loss: tax, commission
 * and net are those of the gross price. One of the merchant reduces the price itself.
 */
export function shareSale(
  sale: SalePrice,
  rule: { bps: number; fixedCents: number },
): { taxCents: number; commissionCents: number; netCents: number } {
  const { units, grossCents, discountCents, fundedBy } = sale;
  const taxCents = taxOfSale(sale);
  const baseCents = (fundedBy === "shop" ? grossCents : grossCents - discountCents) - taxCents;
  const [share = 0] = splitByLargestRemainder(baseCents, [rule.bps, 10_000 - rule.bps]);
  const commissionCents = Math.min(baseCents, share + rule.fixedCents * units);
  return { taxCents, commissionCents, netCents: baseCents - commissionCents };
}

export type RefundedSale = {
  units: number;
  paidCents: number;
  refundedUnits: number;
  refundedCents: number;
  commissionCents: number;
  netCents: number;
};

/**
 * What a sale's refunds took back so far of commission and net: the refunded part of what the buyer paid, split by largest
 * remainder. Of a sale that cost the buyer nothing, the returned part of its units counts. It depends on the sums only, so
 * that many small refunds end where one does.
 */
export function reverseSale({
  units,
  paidCents,
  refundedUnits,
  refundedCents,
  commissionCents,
  netCents,
}: RefundedSale): { state: SaleState; commissionBackCents: number; netBackCents: number } {
  const [back, all] = paidCents > 0 ? [refundedCents, paidCents] : [refundedUnits, units];
  const [backCents = 0] = splitByLargestRemainder(commissionCents + netCents, [back, all - back]);
  const [commissionBackCents = 0, netBackCents = 0] = splitByLargestRemainder(backCents, [
    commissionCents,
    netCents,
  ]);
  const state = back === 0 ? "sold" : back < all ? "reduced" : "refunded";
  return { state, commissionBackCents, netBackCents };
}

export type PayableFacts = {
  paidAt: Date;
  deliveredAt: Date;
  preOrder: boolean;
  /** the refund window of the purchase; null: it has none */
  refundDays: number | null;
  /** until when the law lets the buyer return an unseen code; null: it does not */
  withdrawalUntil: Date | null;
  /** until when a gift that nobody has claimed can be claimed; null: it is not such a gift */
  claimUntil: Date | null;
};

/**
 * When the net amount can be paid out: some days after the delivery, after the refund window, which counts from the
 * delivery of a pre-order, after the right of withdrawal, and after the last day to claim a gift.
 */
export function payableAt({
  paidAt,
  deliveredAt,
  preOrder,
  refundDays,
  withdrawalUntil,
  claimUntil,
}: PayableFacts): Date {
  const start = preOrder ? deliveredAt : paidAt;
  const after = (from: Date, days: number) => from.getTime() + days * DAY_MS;
  return new Date(
    Math.max(
      after(deliveredAt, PAYABLE_AFTER_DAYS),
      refundDays === null ? 0 : after(start, refundDays),
      withdrawalUntil?.getTime() ?? 0,
      claimUntil?.getTime() ?? 0,
    ),
  );
}
