import { useLocale, useTranslations } from "next-intl";
import { useId } from "react";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { LocalTimes } from "@/components/ui/local-times";
import { Sheet } from "@/components/ui/sheet";
import type { RefundView } from "@/lib/payments/refunds/contract";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { moneyBack, refundSentence } from "@/lib/payments/refunds/rules-wording";
import { RefundWindow } from "./refund-window";

/**
 * What a buyer can get back, as a line of secondary text that opens a sheet with the days drawn as a bar. The parent
 * positions it. Needs the messages `payments.refund`.
 */
export function RefundLine({ refund, className }: { refund: RefundView; className?: string }) {
  const t = useTranslations("payments.refund");
  const locale = useLocale();
  const id = useId();
  const back = moneyBack(refund);
  const hasWindow = back !== null || refund.right !== null;
  const sentence = refundSentence(t, refund, locale);
  return (
    <div className={classNames("text-13 text-quiet", className)}>
      <p className="refund-line">
        <LocalTimes of={[refund.until, refund.right?.until ?? null]}>{sentence}</LocalTimes>{" "}
        {hasWindow && (
          <button type="button" popoverTarget={id} className="cursor-pointer whitespace-nowrap underline">
            {t("sheet.open")}
          </button>
        )}
      </p>
      {hasWindow && (
        <Sheet id={id} title={t("sheet.title")} closeLabel={t("sheet.close")}>
          <div className="flex flex-col gap-4 text-15 text-ink">
            <p className="font-medium">
              <LocalTimes of={[refund.until, refund.right?.until ?? null]}>{sentence}</LocalTimes>
            </p>
            <RefundWindow refund={refund} />
            <ul className="list-disc space-y-1.5 pl-5">
              <li>{t("sheet.unseen")}</li>
              {back?.by === "rule" && <li>{t("sheet.seen", { hours: VENDOR_CONFIRMATION_HOURS })}</li>}
              <li>{t("sheet.money")}</li>
            </ul>
            <Link href="/refund-policy" className="underline">
              {t("sheet.policy")}
            </Link>
          </div>
        </Sheet>
      )}
    </div>
  );
}
