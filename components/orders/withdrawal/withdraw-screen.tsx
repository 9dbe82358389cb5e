import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { WITHDRAWAL_REASONS, type WithdrawalReason } from "@/lib/orders/withdrawal/rules";
import { WITHDRAWAL_DAYS } from "@/lib/payments/refunds/rules-withdrawal";
import { WithdrawSteps } from "./withdraw-steps";

/** Statutory withdrawal without a required login. */
export function WithdrawScreen({ orderId }: { orderId: string | undefined }) {
  const t = useTranslations("orders.withdraw");
  const labels = useWithdrawLabels();
  return (
    <Page narrow title={t("title")} lead={t("lead", { days: WITHDRAWAL_DAYS })}>
      <WithdrawSteps orderId={orderId ?? ""} labels={labels} />
      <p className="pt-8 text-13 text-quiet">
        {t("other")}{" "}
        <Link href="/refund-policy" className="underline">
          {t("policy")}
        </Link>
      </p>
    </Page>
  );
}

/** The labels of the withdrawal. `%s`, `%u` and `%q` are replaced by values from the response. */
function useWithdrawLabels() {
  const t = useTranslations("orders.withdraw");
  const errors = useTranslations("errors");
  const pass = useTranslations("orders.pass");
  const reasons = WITHDRAWAL_REASONS.map((reason) => [reason, t(`reason.${reason}`)] as const);
  return {
    order: t("order"),
    orderHint: t("order_hint"),
    email: t("email"),
    emailHint: t("email_hint"),
    code: t("code"),
    codeSent: t("code_sent", { email: "%s" }),
    codeNext: t("code_next"),
    name: t("name"),
    passes: t("passes"),
    passesHint: t("passes_hint"),
    before: t("before"),
    declare: t("declare"),
    declared: t("declared", { moment: "%s" }),
    declaredText: t("declared_text", { order: "%s" }),
    declaredMailed: t("declared_mailed", { email: "%s" }),
    declaredUnmailed: t("declared_unmailed"),
    download: t("download"),
    proofTitle: t("proof_title"),
    otherOrder: t("other_order"),
    reviewTitle: t("review_title"),
    until: t("until", { date: "%s" }),
    nothing: t("nothing"),
    part: t("part", { units: "%u", quantity: "%q" }),
    lifetime: pass("lifetime"),
    confirm: t("confirm", { amount: "%s" }),
    country: t("country"),
    countryHint: t("country_hint"),
    countryUnknown: t("country_unknown"),
    ask: t("ask", { amount: "%s" }),
    reviewAmount: t("review_amount", { amount: "%s" }),
    doneReview: t("done_review", { amount: "%s" }),
    doneReviewText: t("done_review_text", { days: WITHDRAWAL_DAYS, email: "%s" }),
    note: t("note"),
    doneTitle: t("done_title", { amount: "%s" }),
    doneNone: t("done_none"),
    doneText: t("done_text", { email: "%s" }),
    network: errors("network"),
    invalidEmail: errors("email_invalid"),
    missing: errors("field_required"),
    reasons: Object.fromEntries(reasons) as Record<WithdrawalReason, string>,
  };
}

export type WithdrawLabels = ReturnType<typeof useWithdrawLabels>;
