import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";

/** Explains why a payment failed, what was kept and what to do. `code` is the provider's. */
export function DeclineNotice({ code, live = false }: { code: string; live?: boolean }) {
  const t = useTranslations("payments.decline");
  return (
    <Notice kind="bad" title={t("title")} live={live}>
      <p>{t(`reason.${declineReason(code)}`)}</p>
      <p>{t("kept")}</p>
    </Notice>
  );
}

/** The provider's failure codes that have their own message under `payments.decline.reason.*`. */
const REASONS = {
  card_declined: "card_declined",
  generic_decline: "card_declined",
  do_not_honor: "card_declined",
  insufficient_funds: "insufficient_funds",
  expired_card: "expired_card",
  incorrect_cvc: "incorrect_cvc",
  invalid_cvc: "incorrect_cvc",
  authentication_required: "authentication",
  authentication_not_handled: "authentication",
  payment_intent_authentication_failure: "authentication",
  payment_method_provider_decline: "refused_there",
  payment_method_customer_decline: "refused_there",
  payment_intent_payment_attempt_expired: "expired_there",
  payment_method_provider_timeout: "expired_there",
} as const;

export type DeclineReason = (typeof REASONS)[keyof typeof REASONS] | "other";

/** Codes that would help a thief (stolen, lost, fraud) map to the generic message. */
export function declineReason(code: string): DeclineReason {
  return Object.hasOwn(REASONS, code) ? REASONS[code as keyof typeof REASONS] : "other";
}
