import { formatMoment } from "@/lib/platform/format";
import { formatPrice } from "@/lib/platform/money";
import { Code } from "./code";
import { Action, Paragraph, Quiet, Title } from "./parts";
import type { MailContext, MailTemplate } from "./template";
import { Ticket, TicketHead } from "./ticket";

/** A coupon, as emails show it. Amounts in cents. */
export type CouponProps = {
  code: string;
  title: string;
  amountCents: number | null;
  percent: number | null;
  minimumCents: number;
  expiresAt: Date | null;
};

export function CouponTicket({ coupon, context }: { coupon: CouponProps; context: MailContext }) {
  const { t, brand } = context;
  return (
    <Ticket stub={<Code value={coupon.code} label={t("coupon.code")} size={17} />}>
      <TicketHead
        name={coupon.title}
        detail={brand}
        hero={couponValue(coupon, context)}
        unit={t("coupon.off")}
      />
      <Quiet>{terms(coupon, context)}</Quiet>
    </Ticket>
  );
}

export const couponValue = ({ amountCents, percent }: CouponProps, { locale }: MailContext) =>
  amountCents === null ? `${percent}%` : formatPrice(amountCents, locale);

function terms({ minimumCents, expiresAt }: CouponProps, { t, locale, gap, timeZone }: MailContext): string {
  const from = minimumCents > 0 ? t("coupon.minimum", { amount: formatPrice(minimumCents, locale) }) : "";
  const until = expiresAt ? t("coupon.until", { moment: formatMoment(expiresAt, locale, timeZone) }) : "";
  return [from, until].filter(Boolean).join(gap);
}

export const couponMail: MailTemplate<CouponProps> = {
  subject: (coupon, context) =>
    context.t("coupon.subject", { worth: couponValue(coupon, context), title: coupon.title }),
  preview: (coupon, context) => terms(coupon, context) || context.t("coupon.lead"),
  body: (coupon, context) => (
    <>
      <Title>{context.t("coupon.title", { worth: couponValue(coupon, context) })}</Title>
      <Paragraph>{context.t("coupon.lead")}</Paragraph>
      <CouponTicket coupon={coupon} context={context} />
      <Action href={context.link(`/cart?coupon=${encodeURIComponent(coupon.code)}`)}>
        {context.t("coupon.action")}
      </Action>
    </>
  ),
};
