import { getTranslations } from "next-intl/server";
import { STOCK_DEADLINE_HOURS } from "@/lib/delivery/rules";
import { REFUND_DAYS, VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { WITHDRAWAL_DAYS } from "@/lib/payments/refunds/rules-withdrawal";

const QUESTIONS = [
  "what",
  "delivery",
  "start",
  "renew",
  "refund",
  "refund_how",
  "not_working",
  "no_email",
  "pay",
  "coupon",
  "account",
] as const;

export type HelpItem = Awaited<ReturnType<typeof helpItems>>[number];

/** The questions of the help centre with their answers; the numbers come from the rules. */
export async function helpItems() {
  const t = await getTranslations("notifications.help.faq");
  const numbers = {
    stock_hours: STOCK_DEADLINE_HOURS,
    refund_days: REFUND_DAYS,
    withdrawal_days: WITHDRAWAL_DAYS,
    vendor_hours: VENDOR_CONFIRMATION_HOURS,
  };
  return QUESTIONS.map((name) => ({
    name,
    question: t(`${name}.question`),
    answer: t(`${name}.answer`, numbers),
  }));
}
