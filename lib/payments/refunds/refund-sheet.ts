import { refundTranslator } from "@/emails/translator";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { RefundSheet, RefundView } from "./contract";
import { REFUND_DAYS, VENDOR_CONFIRMATION_HOURS } from "./rules";
import { WITHDRAWAL_DAYS } from "./rules-withdrawal";
import { moneyBack, refundSentence } from "./rules-wording";

/** The texts of the sheet that explains a refund before an order (docs/product.md#81-refunds), in the reader's language. */
export function toRefundSheet(refund: RefundView, locale: Locale): RefundSheet {
  const t = refundTranslator(locale);
  const back = moneyBack(refund);
  const days = back?.days ?? 0;
  const bar = (label: "with_right" | "elsewhere" | "here", length: number) => ({
    label: t(`sheet.${label}`),
    text: t("sheet.days", { days: length }),
    days: length,
  });
  const isByCountry = refund.right?.state === "by_country" && days < WITHDRAWAL_DAYS;
  const bars = isByCountry
    ? [bar("with_right", WITHDRAWAL_DAYS), bar("elsewhere", days)]
    : [bar("here", days)];
  const isOpen = back !== null || refund.right !== null;
  return {
    title: t("sheet.title"),
    close: t("sheet.close"),
    sentence: refundSentence(t, refund, locale),
    bars: isOpen && back?.by !== "before_delivery" ? bars : [],
    all: REFUND_DAYS,
    first: t("sheet.paid"),
    last: t("sheet.day", { day: REFUND_DAYS }),
    notes: isOpen
      ? [
          t("sheet.unseen"),
          ...(back?.by === "rule" ? [t("sheet.seen", { hours: VENDOR_CONFIRMATION_HOURS })] : []),
          t("sheet.money"),
        ]
      : [],
    policy: t("sheet.policy"),
  };
}
