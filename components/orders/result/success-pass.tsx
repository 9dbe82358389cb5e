import { useLocale, useTranslations } from "next-intl";
import { KeyCode } from "@/components/delivery/key-code";
import { LooseCodes } from "@/components/delivery/loose-codes";
import { ActivationGuide, PassClock, PassTime, passHoles } from "@/components/delivery/owned-pass";
import { PassTicket } from "@/components/delivery/pass-ticket";
import { RefundLine } from "@/components/payments/refund-line";
import { Dated } from "@/components/ui/dated";
import { Icon } from "@/components/ui/icon";
import { LocalTimes } from "@/components/ui/local-times";
import { Skeleton } from "@/components/ui/skeleton";
import { TicketHero } from "@/components/ui/ticket/ticket-hero";
import type { LibraryList } from "@/lib/delivery/contract";
import { passState } from "@/lib/delivery/rules-ticket";
import type { OrderDetail, OrderProduct } from "@/lib/orders/contract";
import { revealCost } from "@/lib/orders/rules";
import { durationSpan, formatDate } from "@/lib/platform/format";

type SuccessPassProps = { line: OrderProduct; order: OrderDetail; library: LibraryList };

/** A newly bought pass: its masked codes or the date of their delivery. */
export function SuccessPass({ line, order, library }: SuccessPassProps) {
  const t = useTranslations("payments.success");
  const clock = useTranslations("delivery.clock");
  const code = useTranslations("delivery.code");
  const locale = useLocale();
  const lang = line.language === locale ? undefined : line.language;
  const owned = library.items.filter((item) => item.order_product_id === line.order_product_id);
  const [first] = owned;
  const span = durationSpan(line.duration_days, locale);
  // The clock and the stub are those of a single pass that has a code.
  const single = line.quantity === 1 ? first : undefined;
  const missing = line.state === "refunded" ? 0 : line.quantity - line.keys.length;
  const keyCode = ({ library_id, masked_code, needs_consent, ...key }: OrderProduct["keys"][number]) => (
    <KeyCode
      key={library_id}
      libraryId={library_id}
      masked={masked_code}
      needsConsent={needs_consent}
      withdrawal={order.withdrawal_applies}
      cost={revealCost(line, key)}
      startsDays={key.revealed_at === null && key.activated_at === null ? line.duration_days : null}
      note={key.seen && key.revealed_at === null && key.activated_at === null ? code("in_email") : undefined}
    />
  );
  return (
    <div className="flex flex-col gap-3">
      <PassTicket
        level="h2"
        pass={line}
        state={single ? passState(single, order.server_time) : missing > 0 ? "waiting" : undefined}
        holes={single ? passHoles(single, order.server_time) : span}
        clock={
          single ? (
            <PassClock pass={single} serverTime={order.server_time} />
          ) : (
            <TicketHero span={span} label={t("lifetime")} />
          )
        }
        status={
          single &&
          !line.keys[0]?.needs_consent && (
            <p>
              {single.revealed_at || single.activated_at ? (
                <PassTime pass={single} serverTime={order.server_time} />
              ) : line.duration_days === null ? (
                clock("lifetime")
              ) : (
                clock("starts", { days: line.duration_days })
              )}
            </p>
          )
        }
        slot={single !== undefined && line.keys[0] !== undefined}
        stub={
          single && line.keys[0] ? (
            keyCode(line.keys[0])
          ) : (
            <p className="grid h-full content-center px-4 py-3 text-13 text-quiet">
              {line.quantity > 1 && line.duration_days !== null ? t("own_clock") : `× ${line.quantity}`}
            </p>
          )
        }
      />
      {!single && (
        <LooseCodes
          line={line}
          serverTime={order.server_time}
          locale={locale}
          withdrawal={order.withdrawal_applies}
        />
      )}
      {single?.redeem_by && (
        <p className="text-13 text-quiet">
          <Dated>{t("redeem_by", { date: formatDate(single.redeem_by, locale) })}</Dated>
        </p>
      )}
      {missing > 0 && <UndeliveredCodes line={line} count={missing} />}
      {line.state === "refunded" ? (
        <p className="text-quiet">{t("refunded_line")}</p>
      ) : (
        <RefundLine refund={line.refund} />
      )}
      {first && (
        <ActivationGuide guide={first.activation} lang={lang} open={order.order_products.length === 1} />
      )}
    </div>
  );
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
