import { useLocale, useTranslations } from "next-intl";
import { Dated } from "@/components/ui/dated";
import { LocalTimes } from "@/components/ui/local-times";
import type { OrderView } from "@/lib/orders/contract";
import type { GiftView } from "@/lib/orders/gifts/contract";
import { isPayable } from "@/lib/orders/rules";
import { formatDate, formatMoment } from "@/lib/platform/format";

/** A calendar day without a time, in words. */
export const formatGiftDay = (day: string, locale: string) => formatDate(`${day}T00:00:00Z`, locale);

/** What has become of a gift, in one sentence. */
export function GiftState({
  gift,
  order,
}: {
  gift: GiftView;
  order: Pick<OrderView, "status" | "dispute_open" | "dispute_lost">;
}) {
  const t = useTranslations("orders.gift.state");
  const locale = useLocale();
  const date = (at: string | null) => (at ? formatDate(at, locale) : "");
  const { state, sent_at, claim_until, claimed_at, returned_at } = gift;
  if (order.status === "refunded" || order.dispute_lost) return t("refunded");
  if (order.dispute_open) return t("disputed");
  if (isPayable(order.status)) return t("unpaid");
  if (state === "claimed")
    return <LocalTimes of={[claimed_at]}>{t("claimed", { date: date(claimed_at) })}</LocalTimes>;
  if (state === "returned")
    return <LocalTimes of={[returned_at]}>{t("returned", { date: date(returned_at) })}</LocalTimes>;
  if (gift.email_failed) return t("failed");
  if (state === "sent")
    return (
      <LocalTimes of={[sent_at, claim_until]}>
        {t("sent", { date: date(sent_at), until: claim_until ? formatMoment(claim_until, locale) : "" })}
      </LocalTimes>
    );
  if (order.status === "processing") return t("waiting");
  if (gift.due) return t("sending");
  return <Dated>{t("scheduled", { date: formatGiftDay(gift.deliver_on, locale) })}</Dated>;
}
