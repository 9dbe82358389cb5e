import { type CouponProps, CouponTicket, couponValue } from "./coupon";
import { Action, Paragraph, SideLink, Title } from "./parts";
import type { MailTemplate } from "./template";

/** `friend`: the first letter of the friend's name and a mask. */
export type ReferralRewardProps = { friend: string; coupon: CouponProps };

export const referralRewardMail: MailTemplate<ReferralRewardProps> = {
  subject: ({ coupon }, context) =>
    context.t("referral_reward.subject", { worth: couponValue(coupon, context) }),
  preview: ({ friend }, { t }) => t("referral_reward.lead", { friend }),
  body: ({ friend, coupon }, context) => (
    <>
      <Title>{context.t("referral_reward.title", { worth: couponValue(coupon, context) })}</Title>
      <Paragraph>{context.t("referral_reward.lead", { friend })}</Paragraph>
      <CouponTicket coupon={coupon} context={context} />
      <Action href={context.link("/coupons")}>{context.t("referral_reward.action")}</Action>
      <SideLink href={context.link("/invite")}>{context.t("referral_reward.invite")}</SideLink>
    </>
  ),
};
