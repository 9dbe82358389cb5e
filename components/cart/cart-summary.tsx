"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ApproximatePrice } from "@/components/payments/approximate-price";
import { ChargedCurrency } from "@/components/payments/charged-currency";
import { Button } from "@/components/ui/button";
import { StickyBar } from "@/components/ui/sticky-bar";
import { useSurface } from "@/components/ui/surface";
import { taxOnTop } from "@/lib/payments/tax/rules";
import { formatPrice } from "@/lib/platform/money";
import type { SelectedLines } from "./selected-lines";

/** The total and the checkout button, beside the list or at the bottom of the window on phones. */
export function CartSummary({
  chosen,
  discountCents,
  tax,
  addedBps,
  coupon,
  pending,
  onCheckOut,
}: {
  chosen: SelectedLines;
  discountCents: number;
  /** what the total includes, or what is added; null: nothing is said */
  tax: string | null;
  /** the rate of the tax that is added to the prices */
  addedBps: number;
  coupon: ReactNode;
  pending: boolean;
  onCheckOut: () => void;
}) {
  const t = useTranslations("cart.summary");
  const locale = useLocale();
  const { surface } = useSurface();
  const pricesCents = chosen.totalCents - discountCents;
  const addedCents = taxOnTop(pricesCents, addedBps);
  const totalCents = pricesCents + addedCents;
  const total = formatPrice(totalCents, locale);
  const passes = t("passes", { count: chosen.passes });
  const hold = t("hold", { minutes: chosen.holdMinutes });
  const button = (
    <Button
      look="primary"
      large
      block={surface === "desktop"}
      pending={pending}
      disabled={chosen.passes === 0}
      onClick={onCheckOut}
    >
      {t("checkout")}
    </Button>
  );
  const sums = (discountCents > 0 || addedCents > 0) && (
    <dl className="figures grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-quiet">
      <dt>{t("before")}</dt>
      <dd className="text-right">{formatPrice(chosen.totalCents, locale)}</dd>
      {discountCents > 0 && (
        <>
          <dt>{t("discount")}</dt>
          <dd className="text-right">{`−${formatPrice(discountCents, locale)}`}</dd>
        </>
      )}
      {addedCents > 0 && (
        <>
          <dt>{tax}</dt>
          <dd className="text-right">{formatPrice(addedCents, locale)}</dd>
        </>
      )}
    </dl>
  );
  if (surface === "mobile")
    return (
      <>
        <section aria-label={t("coupon")} className="rounded-ticket border border-hairline bg-raised p-4">
          {coupon}
        </section>
        {sums}
        <p className="text-13 text-quiet">{hold}</p>
        <ChargedCurrency />
        <StickyBar>
          <div className="min-w-0 flex-1" aria-live="polite">
            <p className="text-13 text-quiet">{passes}</p>
            <p className="figures text-21 font-semibold">{total}</p>
            {tax && addedCents === 0 && <p className="text-13 text-quiet">{tax}</p>}
            <ApproximatePrice cents={totalCents} />
          </div>
          {button}
        </StickyBar>
      </>
    );
  return (
    <aside
      aria-label={t("title")}
      className="flex flex-col gap-4 rounded-ticket border border-hairline bg-raised p-5 lg:sticky lg:top-6"
    >
      <section aria-label={t("coupon")} className="border-b border-hairline pb-4">
        {coupon}
      </section>
      <div aria-live="polite" className="flex flex-col gap-1">
        {sums}
        <dl className="flex items-baseline justify-between gap-4">
          <dt>{t("total")}</dt>
          <dd className="figures text-28 font-semibold">{total}</dd>
        </dl>
        <div className="self-end text-right">
          {tax && addedCents === 0 && <p className="text-13 text-quiet">{tax}</p>}
          <ApproximatePrice cents={totalCents} />
        </div>
        <p className="text-quiet">{passes}</p>
      </div>
      {button}
      <p className="text-13 text-quiet">{hold}</p>
      <ChargedCurrency />
    </aside>
  );
}
