import { useTranslations } from "next-intl";
import { WordsProvider } from "@/components/shell/words-provider";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import type { CouponList, CouponView } from "@/lib/coupons/contract";
import { AddCoupon } from "./add-coupon";
import { CouponTicket } from "./coupon-ticket";

const WORDS = ["coupons.add", "coupons.bind", "errors.network"];
const isUsable = ({ state }: CouponView) => state === "valid" || state === "not_yet_valid";

/** One's coupons and vouchers: what can be used, a place to add one, and what is over. */
export function CouponsScreen({ list }: { list: CouponList }) {
  const t = useTranslations("coupons.mine");
  const usable = list.items.filter(isUsable);
  const over = list.items.filter((coupon) => !isUsable(coupon));
  return (
    <Page narrow title={t("title")} lead={t("lead")}>
      <WordsProvider branches={WORDS}>
        <AddCoupon />
      </WordsProvider>
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
      {over.length > 0 && <Tickets title={t("over")} coupons={over} />}
      <p className="pt-10 text-quiet">
        {t.rich("more", {
          free: (text) => (
            <Link href="/free-voucher" className="text-link">
              {text}
            </Link>
          ),
          invite: (text) => (
            <Link href="/invite" className="text-link">
              {text}
            </Link>
          ),
        })}
      </p>
    </Page>
  );
}

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
