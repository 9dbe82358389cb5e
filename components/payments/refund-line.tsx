import { useLocale, useTranslations } from "next-intl";
import { classNames } from "@/components/ui/class-names";
import { LocalTimes } from "@/components/ui/local-times";
import type { RefundView } from "@/lib/payments/refunds/contract";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";

type RefundLineProps = {
  refund: RefundView;
  /** the statutory right of withdrawal holds for the pass; `by_country`: the reader's country is not known */
  withdrawable?: boolean | "by_country";
  className?: string;
};

/** The refund as a line of secondary text. The parent positions it. */
export function RefundLine({ refund, withdrawable, className }: RefundLineProps) {
  const t = useTranslations("payments.refund");
  return (
    <p className={classNames("text-13 text-quiet", className)}>
      <LocalTimes of={[refund.until]}>{refundSentence(t, refund, useLocale(), withdrawable)}</LocalTimes>
    </p>
  );
}
