import { useFormatter, useTranslations } from "next-intl";
import { useSurface } from "@/components/ui/surface";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { Effect } from "@/lib/staff/preview/contract";
import { useCouponTerms } from "./coupon-terms";

/** Recipients of one kind of email who are listed by address; more are counted. */
const LISTED_RECIPIENTS = 3;

/** The effects of an action in words, one line each. */
export function useEffectTexts(): (effects: readonly Effect[]) => string[] {
  const t = useTranslations("console.effects");
  const statusName = useTranslations("console.order_status");
  const format = useFormatter();
  const roleName = useTranslations("console.roles");
  const typeName = useTranslations("console.commission.types");
  const mailName = useTranslations("console.mail_events");
  const { terms } = useCouponTerms();
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);

  function toText(effect: Exclude<Effect, { kind: "email" }>): string {
    switch (effect.kind) {
      case "money_returned":
      case "refund_waits":
      case "paid_otherwise":
        return t(effect.kind, { amount: usd(effect.amount) });
      case "order_status":
        return t("order_status", { number: effect.order_number, status: statusName(effect.status) });
      case "cancellation_open":
        return t("cancellation_open", { number: effect.order_number });
      case "codes":
        return t(`codes_${effect.change}`, { count: effect.count });
      case "retry":
        return t(`retry_${effect.outcome}`);
      case "campaign_on":
      case "campaign_off":
      case "campaign_free":
      case "campaign_paid":
        return t(effect.kind, { campaign: effect.campaign });
      case "campaign_budget":
      case "campaign_daily_budget":
      case "campaign_minimum": {
        const { campaign, before, after } = effect;
        const amount = (value: number | null) => (value === null ? t("no_cap") : usd(value));
        return t(effect.kind, { campaign, before: amount(before), after: amount(after) });
      }
      case "product_written":
        return t("product_written", { product: effect.product, count: effect.count });
      case "roles": {
        const names = (roles: readonly StaffRole[]) =>
          roles.length > 0 ? format.list(roles.map((role) => roleName(role))) : t("no_roles");
        const { person, before, after } = effect;
        return t("roles", { person, before: names(before), after: names(after) });
      }
      case "coupon_terms":
        return t("coupon_terms", { terms: terms(effect).join(" · ") });
      case "commission": {
        const { merchant, category, vip_type: type, before, after, valid_from: from } = effect;
        const rate = ({ percent, fixed }: typeof after) =>
          fixed > 0
            ? t("commission_fixed", { percent, fixed: usd(fixed) })
            : t("commission_rate", { percent });
        const parts = [merchant, category, type && typeName(type)].filter((part) => part !== null);
        const sales = parts.length > 0 ? parts.join(" · ") : t("commission_all");
        const day = from
          ? format.dateTime(new Date(from), { dateStyle: "medium", timeZone: "UTC" })
          : t("commission_now");
        return before
          ? t("commission_before", { sales, day, before: rate(before), after: rate(after) })
          : t("commission", { sales, day, after: rate(after) });
      }
      case "second_person":
      case "password_removed":
      case "replacement_asked":
      case "shop_closed":
        return t(effect.kind);
      default:
        return t(effect.kind, { count: effect.count });
    }
  }

  return (effects) => {
    const recipients = new Map<Extract<Effect, { kind: "email" }>["event"], string[]>();
    for (const effect of effects)
      if (effect.kind === "email")
        recipients.set(effect.event, [...(recipients.get(effect.event) ?? []), effect.to]);
    const mails = [...recipients].map(([event, to]) => {
      const name = mailName(event);
      return to.length > LISTED_RECIPIENTS
        ? t("emails", { count: to.length, name })
        : t("email", { to: to.join(", "), name });
    });
    const others = effects.flatMap((effect) => (effect.kind === "email" ? [] : [toText(effect)]));
    const texts = [...others, ...mails];
    return texts.length > 0 ? texts : [t("none")];
  };
}
