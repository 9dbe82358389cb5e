"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Link } from "@/components/ui/link";
import type { CartCoupons } from "@/lib/coupons/contract";
import {
  type CartCoupon,
  type CouponRejectionReason,
  sortCouponsForCart,
} from "@/lib/coupons/discount/rules";
import { formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { useCouponTerms } from "./use-coupon-terms";

const ROW =
  "col-span-2 grid grid-cols-subgrid items-baseline rounded-control border border-hairline px-3 py-2";

/** More coupons would push the total out of view. */
const INITIAL_COUNT = 4;

/** The user's coupons in the cart: applicable coupons as buttons, then the others with the reason. */
export function OwnCoupons({
  ownCoupons,
  applied,
  subtotalCents,
  onApply,
}: {
  ownCoupons: CartCoupons;
  /** The code that is already shown above the list. */
  applied: string;
  subtotalCents: number;
  onApply: (code: string) => void;
}) {
  const t = useTranslations("coupons.field");
  const rows = sortCouponsForCart(ownCoupons, subtotalCents).filter(
    ({ coupon }) => coupon.coupon_code !== applied,
  );
  const [showAll, setShowAll] = useState(false);
  const shown = showAll ? rows : rows.slice(0, INITIAL_COUNT);
  if (rows.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{t("own")}</p>
      <ul className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2">
        {shown.map((row) => (
          <li key={row.coupon.coupon_code} className="col-span-2 grid grid-cols-subgrid">
            {row.rejectionReason ? (
              <RejectedCoupon {...row} rejectionReason={row.rejectionReason} subtotalCents={subtotalCents} />
            ) : (
              <button
                type="button"
                onClick={() => onApply(row.coupon.coupon_code)}
                className={`${ROW} min-h-11 cursor-pointer bg-paper text-left hover:border-ink`}
              >
                <Columns {...row} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <button
          type="button"
          onClick={() => setShowAll(true)}
          className="text-link min-h-11 cursor-pointer self-start text-13 font-medium"
        >
          {t("all", { count: rows.length })}
        </button>
      )}
    </div>
  );
}

function Columns({ coupon }: CartCoupon) {
  const { worth, terms } = useCouponTerms();
  return (
    <>
      <span className="figures text-right font-semibold whitespace-nowrap">{worth(coupon)}</span>
      <span className="min-w-0">
        <span className="block">{coupon.title}</span>
        <span className="block text-13 text-quiet first-letter:uppercase">{terms(coupon)}</span>
      </span>
    </>
  );
}

/** A coupon that is not applicable, with the reason. */
function RejectedCoupon({
  coupon,
  rejectionReason,
  subtotalCents,
}: CartCoupon & { rejectionReason: CouponRejectionReason; subtotalCents: number }) {
  const t = useTranslations("coupons.field.misfit");
  const locale = useLocale();
  const { worth } = useCouponTerms();
  const values = {
    missing: formatPrice(Math.max(0, toCents(coupon.min_amount) - subtotalCents), locale),
    minimum: formatPrice(toCents(coupon.min_amount), locale),
    date: formatDate(coupon.starts_at ?? 0, locale),
  };
  return (
    <div className={`${ROW} border-dashed text-quiet`}>
      <span className="figures text-right whitespace-nowrap">{worth(coupon)}</span>
      <span className="min-w-0">
        <span className="block">{coupon.title}</span>
        <span className="block text-13">{t(rejectionReason, values)}</span>
        {rejectionReason === "held" && coupon.order_id && (
          <Link href={`/order-history?order_id=${coupon.order_id}`} className="text-link text-13">
            {t("order")}
          </Link>
        )}
      </span>
    </div>
  );
}
