import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Ticket } from "@/components/ui/ticket/ticket";
import type { CouponView } from "@/lib/coupons/contract";
import { useCouponTerms } from "./use-coupon-terms";

/** A coupon as a ticket: its value on the stub, its terms, code and action on the body. */
export function CouponTicket({ coupon }: { coupon: CouponView }) {
  const t = useTranslations("coupons.ticket");
  const { worth, terms } = useCouponTerms();
  const { coupon_code: code, state, held, order_id } = coupon;
  const valid = state === "valid";
  return (
    <Ticket
      className="[--stub:11rem]"
      stub={
        <div className="flex h-full items-baseline justify-between gap-3 px-5 py-3 @min-[440px]:flex-col @min-[440px]:items-start @min-[440px]:justify-center">
          <span className={`figures text-28 font-semibold whitespace-nowrap ${valid ? "" : "text-quiet"}`}>
            {worth(coupon)}
          </span>
          <span className="text-13 text-quiet">{held ? t("state.held") : t(`state.${state}`)}</span>
        </div>
      }
    >
      <div className="flex flex-col items-start justify-between gap-x-4 gap-y-2 p-4 @min-[440px]:flex-row @min-[440px]:items-center @min-[440px]:p-5">
        <div className="min-w-0 flex-1">
          <h3 className="text-17">{coupon.title}</h3>
          <p className="figures text-13 wrap-anywhere">{code}</p>
          <p className="pt-1 text-13 text-quiet first-letter:uppercase">{terms(coupon)}</p>
          {held && <p className="pt-1 text-13">{t("held")}</p>}
        </div>
        {valid && (
          <ButtonLink href={`/cart?coupon=${encodeURIComponent(code)}`} className="flex-none">
            {t("use")}
          </ButtonLink>
        )}
        {state === "used" && order_id && (
          <Link
            href={`/order-history?order_id=${order_id}`}
            className="text-link flex min-h-11 flex-none items-center"
          >
            {t("order")}
          </Link>
        )}
      </div>
    </Ticket>
  );
}
