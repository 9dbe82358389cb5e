import { useLocale, useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { KeyCode } from "@/components/delivery/key-code";
import { ActivationGuide, PassClock } from "@/components/delivery/owned-pass";
import { RefundLine } from "@/components/payments/refund-line";
import { Emblem } from "@/components/ui/emblem";
import { Icon } from "@/components/ui/icon";
import { LocalTimes } from "@/components/ui/local-times";
import { Skeleton } from "@/components/ui/skeleton";
import { TicketHero } from "@/components/ui/ticket/ticket-hero";
import { TicketOwned } from "@/components/ui/ticket/ticket-owned";
import type { LibraryItem, LibraryList } from "@/lib/delivery/contract";
import type { OrderDetail, OrderProduct } from "@/lib/orders/contract";
import { revealCost } from "@/lib/orders/rules";
import { durationSpan, formatDate } from "@/lib/platform/format";

/** The ticket stub tears off with an animation for a payment newer than this. Later it is shown torn. */
const JUST_PAID_MS = 120_000;

type SuccessPassProps = { line: OrderProduct; order: OrderDetail; library: LibraryList };

/** A newly bought pass: its masked codes or the date of their delivery. */
export function SuccessPass({ line, order, library }: SuccessPassProps) {
  const t = useTranslations("payments.success");
  const clock = useTranslations("delivery.clock");
  const pass = usePassLabels();
  const locale = useLocale();
  const lang = line.language === locale ? undefined : line.language;
  const owned = library.items.filter((item) => item.order_product_id === line.order_product_id);
  const [first] = owned;
  const justPaid =
    order.paid_at !== null && Date.parse(order.server_time) - Date.parse(order.paid_at) < JUST_PAID_MS;
  // A clock applies to a single pass that has a code.
  const clocked = line.quantity === 1 ? first : undefined;
  const missing = line.state === "refunded" ? 0 : line.quantity - line.keys.length;
  return (
    <TicketOwned
      level="h2"
      title={line.product_name}
      href={`/product/${line.slug}`}
      lang={lang}
      subtitle={`${line.maker} · ${pass.name(line)}`}
      emblem={<Emblem src={line.product_image} size={56} />}
      clock={
        clocked ? (
          <PassClock pass={clocked} serverTime={order.server_time} />
        ) : (
          <TicketHero span={durationSpan(line.duration_days, locale)} label={t("lifetime")} />
        )
      }
      clockNote={
        clocked ? clockNote(clocked) : line.quantity > 1 && line.duration_days !== null && t("own_clock")
      }
      torn={owned.length === 0 ? undefined : justPaid ? "tearing" : "still"}
    >
      {line.keys.map(({ library_id, masked_code, needs_consent, redeem_by, revealed_at, seen }) => {
        // Where several codes share a ticket, each has its own expiry.
        const endsAt = clocked ? null : owned.find((item) => item.library_id === library_id)?.ends_at;
        return (
          <div key={library_id} className="flex flex-col gap-1.5">
            <KeyCode
              libraryId={library_id}
              masked={masked_code}
              needsConsent={needs_consent}
              withdrawal={order.withdrawal_applies}
              cost={revealCost(line, { seen })}
              startsTime={line.duration_days !== null && revealed_at === null}
            />
            {redeem_by && (
              <p className="text-13 text-quiet">{t("redeem_by", { date: formatDate(redeem_by, locale) })}</p>
            )}
            {endsAt && (
              <p className="text-13 text-quiet">
                <LocalTimes of={[endsAt]}>{t("until", { date: formatDate(endsAt, locale) })}</LocalTimes>
              </p>
            )}
          </div>
        );
      })}
      {missing > 0 && <UndeliveredCodes line={line} count={missing} />}
      {line.state === "refunded" ? (
        <p className="text-quiet">{t("refunded_line")}</p>
      ) : (
        <RefundLine refund={line.refund} />
      )}
      {first && (
        <ActivationGuide guide={first.activation} lang={lang} open={order.order_products.length === 1} />
      )}
    </TicketOwned>
  );

  function clockNote({ ends_at }: LibraryItem) {
    if (ends_at)
      return <LocalTimes of={[ends_at]}>{t("until", { date: formatDate(ends_at, locale) })}</LocalTimes>;
    return line.duration_days === null ? t("lifetime") : clock("starts");
  }
}

/** Codes that are not delivered yet: available in a moment, or by a date. */
function UndeliveredCodes({ line, count }: { line: OrderProduct; count: number }) {
  const t = useTranslations("payments.success");
  const locale = useLocale();
  if (line.state !== "waiting")
    return (
      <div className="flex flex-col gap-2">
        <Skeleton className="h-11" />
        <p className="text-13 text-quiet">{t("preparing", { count })}</p>
      </div>
    );
  return (
    <div className="flex gap-3 rounded-control bg-sunk px-3.5 py-3">
      <Icon name="clock" className="mt-0.5 text-warn" />
      <div>
        <p className="font-medium">{t(line.pre_order ? "pre_order_badge" : "waiting_badge")}</p>
        <p className="text-quiet">
          {line.deliver_by ? (
            <LocalTimes of={[line.deliver_by]}>
              {t("waiting", { count, date: formatDate(line.deliver_by, locale) })}
            </LocalTimes>
          ) : (
            t("waiting_undated", { count })
          )}
        </p>
      </div>
    </div>
  );
}
