import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { WITHDRAWAL_DAYS } from "@/lib/orders/withdrawal/rules";
import { useWithdrawLabels } from "./use-withdraw-labels";
import { WithdrawSteps } from "./withdraw-steps";

/** Statutory withdrawal without a required login: by session, or by order number and email with an emailed code. */
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
