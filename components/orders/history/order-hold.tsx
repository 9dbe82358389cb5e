import { useLocale, useTranslations } from "next-intl";
import { Countdown } from "@/components/ui/countdown";
import type { OrderView } from "@/lib/orders/contract";
import { formatMoment } from "@/lib/platform/format";

type OrderHoldProps = {
  order: OrderView;
  /** The sentence with the end of the hold; by default only its moment. */
  spoken?: string;
  onEnd?: () => void;
  /** A narrow window shows the time alone. */
  short?: boolean;
};

/** The remaining hold time of an unpaid order, based on the server's clock. */
export function OrderHold({ order, spoken, onEnd, short }: OrderHoldProps) {
  const t = useTranslations("orders.hold");
  const locale = useLocale();
  return (
    <p className="text-13 text-quiet">
      <span className={short ? "max-[30rem]:sr-only" : undefined}>{t("label")} </span>
      <Countdown
        endsAt={Date.parse(order.hold_ends_at)}
        now={Date.parse(order.server_time)}
        dayUnit={t("day_unit")}
        spoken={spoken ?? formatMoment(order.hold_ends_at, locale)}
        onEnd={onEnd}
        className="font-medium whitespace-nowrap text-ink"
      />
    </p>
  );
}
