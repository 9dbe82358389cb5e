"use client";

import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { FieldError } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { TextInput } from "@/components/ui/text-input";
import { useCall } from "@/components/ui/use-call";
import type { CartCoupons } from "@/lib/coupons/contract";
import { sortCouponsForCart } from "@/lib/coupons/rules-discount";
import type { OrderDetail } from "@/lib/orders/contract";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";

export type OrderCoupon = ReturnType<typeof useOrderCoupon>;

/**
 * The coupon of an unpaid order. Each change reprices the order on the server and closes its payment, so that `opening` counts
 * on and the page opens another one. `reload` reloads the order.
 */
export function useOrderCoupon(order: OrderDetail, own: CartCoupons, reload: () => Promise<unknown>) {
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const [opening, setOpening] = useState(0);
  return {
    own,
    pending,
    problem,
    opening,
    /** Without a code the coupon is taken off. Returns whether it was changed. */
    async change(coupon_code?: string): Promise<boolean> {
      const body = { order_id: order.order_id, coupon_code };
      const result = await run((options) => api.post("/order/coupon", body, options));
      await reload();
      setOpening((count) => count + 1);
      return result.ok;
    },
  };
}

/** The coupon by name, with its removal; without one, the account's best one, and a field for a code. */
export function CheckoutCoupon({ order, coupon }: { order: OrderDetail; coupon: OrderCoupon }) {
  const t = useTranslations("coupons.field");
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  if (order.coupon)
    return (
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 wrap-anywhere">{order.coupon.title}</p>
        <span className="figures font-semibold text-good">−{money(order.discount_amount)}</span>
        <button
          type="button"
          aria-label={t("remove", { code: order.coupon.coupon_code })}
          disabled={coupon.pending}
          onClick={() => void coupon.change()}
          className="hit -mr-2.5 grid cursor-pointer place-items-center rounded-control text-quiet hover:text-ink"
        >
          <Icon name="close" size={18} />
        </button>
      </div>
    );
  // The coupon that this order held until it was taken off counts as free again.
  const items = coupon.own.items.map((item) =>
    item.order_id === order.order_id ? { ...item, held: false, state: "valid" as const } : item,
  );
  const [best] = sortCouponsForCart({ ...coupon.own, items }, toCents(order.subtotal));
  return (
    <div className="flex flex-col gap-1">
      {best && best.discountCents > 0 && (
        <Button
          look="quiet"
          className="-mx-3 self-start"
          pending={coupon.pending}
          onClick={() => void coupon.change(best.coupon.coupon_code)}
        >
          {t("use", { title: best.coupon.title, amount: formatPrice(best.discountCents, locale) })}
        </Button>
      )}
      <CodeField coupon={coupon} />
    </div>
  );
}

function CodeField({ coupon }: { coupon: OrderCoupon }) {
  const t = useTranslations("coupons.field");
  const [missing, setMissing] = useState(false);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("coupon_code")).trim();
    setMissing(!code);
    if (code && !coupon.pending) void coupon.change(code);
  }
  return (
    <details className="group">
      <summary className="hit flex cursor-pointer items-center gap-1.5 text-quiet">
        {t("have")}
        <Icon name="down" size={16} className="group-open:rotate-180" />
      </summary>
      <form method="post" noValidate onSubmit={submit} className="flex items-end gap-2 pb-1">
        <TextInput
          label={t("code")}
          name="coupon_code"
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="min-w-0 flex-1"
        />
        <Button type="submit" pending={coupon.pending}>
          {t("apply")}
        </Button>
      </form>
      <div role="alert">
        {(missing || coupon.problem) && <FieldError>{missing ? t("missing") : coupon.problem}</FieldError>}
      </div>
    </details>
  );
}
