import { useLocale, useTranslations } from "next-intl";
import { Countdown } from "@/components/ui/countdown";
import type { OrderView } from "@/lib/orders/contract";
import { formatMoment } from "@/lib/platform/format";

type HeldOrder = Pick<OrderView, "hold_ends_at" | "server_time">;

/** The remaining hold time of an unpaid order, based on the server's clock. */
export function OrderHold({ order }: { order: HeldOrder }) {
  const t = useTranslations("orders.hold");
  const locale = useLocale();
  return (
    <p className="text-13 text-quiet">
      {t("label")}{" "}
      <Countdown
        endsAt={Date.parse(order.hold_ends_at)}
        now={Date.parse(order.server_time)}
        dayUnit={t("day_unit")}
        spoken={formatMoment(order.hold_ends_at, locale)}
        className="font-medium text-ink"
      />
    </p>
  );
}
