import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AccountNav } from "@/components/accounts/account-nav";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LocalTimes } from "@/components/ui/local-times";
import { Page } from "@/components/ui/page";
import { Ticket } from "@/components/ui/ticket/ticket";
import type { CouponList, CouponView } from "@/lib/coupons/contract";
import { compareByExpiry } from "@/lib/coupons/rules";
import { AddCoupon } from "./bind-coupon";
import { useCouponTerms } from "./use-coupon-terms";

const MESSAGES = ["coupons.add", "coupons.bind", "coupons.terms", "errors.network"];

/** Groups coupons by state. Upcoming and usable coupons are sorted by expiry, the earliest first. */
function groupCoupons(items: readonly CouponView[]) {
  const inState = (state: CouponView["state"]) =>
    items.filter((coupon) => coupon.state === state).sort(compareByExpiry);
  const held = items.filter((coupon) => coupon.held).sort(compareByExpiry);
  const closed = items.filter(({ state, held }) => !held && state !== "valid" && state !== "not_yet_valid");
  return { usable: inState("valid"), held, upcoming: inState("not_yet_valid"), closed };
}

/** The user's coupons and vouchers: usable ones, a form to add one, and expired ones. */
export function CouponsScreen({ list }: { list: CouponList }) {
  const t = useTranslations("coupons.mine");
  const { usable, held, upcoming, closed } = groupCoupons(list.items);
  return (
    <Page narrow above={<AccountNav />} title={t("title")} lead={t("lead")}>
      <ScopedMessages branches={MESSAGES}>
        <AddCoupon />
      </ScopedMessages>
      {usable.length === 0 ? (
        <EmptyState
          title={t("empty_title")}
          action={<ButtonLink href="/free-voucher">{t("empty_action")}</ButtonLink>}
        >
          {t("empty_text")}
        </EmptyState>
      ) : (
        <Tickets title={t("usable")} coupons={usable} />
      )}
      {held.length > 0 && <Tickets title={t("held")} coupons={held} />}
      {upcoming.length > 0 && <Tickets title={t("later")} coupons={upcoming} />}
      {closed.length > 0 && <Tickets title={t("over")} coupons={closed} />}
      <p className="pt-10 text-quiet">
        {t.rich("more", { free: linkTo("/free-voucher"), invite: linkTo("/invite") })}
      </p>
    </Page>
  );
}

const linkTo = (href: string) => (text: ReactNode) => (
  <Link href={href} className="text-link">
    {text}
  </Link>
);

function Tickets({ title, coupons }: { title: string; coupons: readonly CouponView[] }) {
  return (
    <section className="pt-10">
      <h2 className="pb-3 text-21">{title}</h2>
      <ul className="flex flex-col gap-4">
        {coupons.map((coupon) => (
          <li key={coupon.coupon_code}>
            <CouponTicket coupon={coupon} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function CouponTicket({ coupon }: { coupon: CouponView }) {
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
          <p className="pt-1 text-13 text-quiet first-letter:uppercase">
            <LocalTimes of={[coupon.starts_at, coupon.expires_at]}>{terms(coupon)}</LocalTimes>
          </p>
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
