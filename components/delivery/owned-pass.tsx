import { useLocale, useTranslations } from "next-intl";
import type { ComponentType } from "react";
import { BuyAgain } from "@/components/cart/buy-again";
import { useBuyAgainLabels } from "@/components/cart/buy-again-labels";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { RefundLine } from "@/components/payments/refund-line";
import { ClockRing } from "@/components/ui/clock-ring";
import { Emblem } from "@/components/ui/emblem";
import { Icon } from "@/components/ui/icon";
import { LocalTime } from "@/components/ui/local-time";
import { LocalTimes } from "@/components/ui/local-times";
import { TicketOwned } from "@/components/ui/ticket/ticket-owned";
import type { ActivationView } from "@/lib/catalog/contract";
import type { LibraryItem, RevealView } from "@/lib/delivery/contract";
import type { OrderProduct, OrderView } from "@/lib/orders/contract";
import { revealCost } from "@/lib/orders/rules";
import { durationSpan, formatDate, formatMoment, remainingSpan, spanText } from "@/lib/platform/format";
import { KeyCode } from "./key-code";
import { ActivatePass, ReplaceKey } from "./pass-forms";
import { ResendKeys } from "./resend-keys";

/** The order line of a pass, while the library needs it: for its refund. */
export type Purchase = { order: OrderView; line: OrderProduct };

/** Asks for the refund of a line. */
export type RefundButton = ComponentType<{ line: OrderProduct; orderId: string; className?: string }>;

type OwnedPassProps = {
  item: LibraryItem;
  serverTime: string;
  purchase?: Purchase;
  LineRefund: RefundButton;
};

export function OwnedPass({ item, serverTime, purchase, LineRefund }: OwnedPassProps) {
  const t = useTranslations("delivery.library");
  const clock = useTranslations("delivery.clock");
  const pass = usePassLabels();
  const locale = useLocale();
  const lang = item.language === locale ? undefined : item.language;
  const note = item.ends_at ? (
    <LocalTimes of={[item.ends_at]}>{t("until", { date: formatDate(item.ends_at, locale) })}</LocalTimes>
  ) : item.duration_days === null ? undefined : (
    clock("starts")
  );
  return (
    <TicketOwned
      level="h2"
      title={item.product_name}
      href={`/product/${item.slug}`}
      lang={lang}
      subtitle={`${item.maker} · ${pass.name(item)}`}
      emblem={<Emblem src={item.product_image} size={56} />}
      clock={<PassClock pass={item} serverTime={serverTime} />}
      clockNote={note}
    >
      <PassCode item={item} purchase={purchase} />
      {purchase && <PassRefund item={item} purchase={purchase} LineRefund={LineRefund} />}
      {item.gift_claimed_at && <ReceivedGift claimedAt={item.gift_claimed_at} />}
      {item.redeem_by && (
        <p className="text-13 text-quiet">{t("redeem_by", { date: formatDate(item.redeem_by, locale) })}</p>
      )}
      <ClockStart item={item} />
      <ReplacementState item={item} />
      <div className="flex flex-col gap-2">
        <ActivationGuide guide={item.activation} lang={lang} />
        <RevealLog reveals={item.reveals} />
      </div>
      <PassActions item={item} />
    </TicketOwned>
  );
}

/** Whether and until when the money is refundable, and the button that requests it. */
function PassRefund({
  item,
  purchase: { order, line },
  LineRefund,
}: {
  item: LibraryItem;
  purchase: Purchase;
  LineRefund: RefundButton;
}) {
  if (item.refund_asked || item.disputed) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <RefundLine refund={line.refund} />
      {line.can_refund && <LineRefund line={line} orderId={order.order_id} className="-mx-3" />}
    </div>
  );
}

function PassCode({ item, purchase }: { item: LibraryItem; purchase?: Purchase }) {
  const t = useTranslations("delivery.library");
  const withdrawal = purchase?.order.withdrawal_applies ?? false;
  if (item.refund_asked) return <p className="text-quiet">{t("refund_asked")}</p>;
  if (item.disputed) return <p className="text-quiet">{t("disputed")}</p>;
  return (
    <>
      <KeyCode
        libraryId={item.library_id}
        masked={item.masked_code}
        needsConsent={item.needs_consent}
        withdrawal={withdrawal}
        received={item.order_id === null}
        cost={purchase ? revealCost(purchase.line, item) : null}
        startsTime={item.duration_days !== null && item.ends_at === null}
      />
      {item.needs_consent && (
        <p className="text-13 text-quiet">{t(withdrawal ? "unseen" : "unseen_plain")}</p>
      )}
    </>
  );
}

/** The pass was a gift to its owner, so nothing is refunded to the owner. */
function ReceivedGift({ claimedAt }: { claimedAt: string }) {
  const t = useTranslations("orders.gift");
  return (
    <p className="text-13 text-quiet">
      <LocalTimes of={[claimedAt]}>{t("received", { date: formatDate(claimedAt, useLocale()) })}</LocalTimes>
    </p>
  );
}

/** The start of the pass's clock. The vendor's period starts with the activation, which only the owner can report. */
function ClockStart({ item }: { item: LibraryItem }) {
  const t = useTranslations("delivery.library");
  const locale = useLocale();
  const startedAt = item.activated_at ?? (item.ends_at === null ? null : item.revealed_at);
  if (startedAt === null) return null;
  const moment = formatMoment(startedAt, locale);
  return (
    <p className="text-13 text-quiet">
      <LocalTimes of={[startedAt]}>
        {t(item.activated_at === null ? "counted" : "activated", { moment })}
      </LocalTimes>
    </p>
  );
}

function ReplacementState({ item: { replacement } }: { item: LibraryItem }) {
  const t = useTranslations("delivery.replace");
  const locale = useLocale();
  if (!replacement) return null;
  const { state } = replacement;
  const text = replacement.asked_by_staff && state !== "approved" ? (`${state}_by_staff` as const) : state;
  return (
    <p className="text-13 text-quiet">
      <LocalTimes of={[replacement.asked_at]}>
        {t(text, { date: formatDate(replacement.asked_at, locale) })}
      </LocalTimes>
    </p>
  );
}

/** The actions of a pass. A pass with a locked or unrevealed code offers only actions that need no code. */
function PassActions({ item }: { item: LibraryItem }) {
  const calendar = useTranslations("delivery.calendar");
  const locale = useLocale();
  const locked = item.refund_asked || item.disputed;
  // Offered once the pass's time has begun.
  const calendarDate = item.ends_at;
  const pass = usePassLabels();
  // A pass without an end needs no other; one that runs is extended.
  const again = item.can_buy_again && item.duration_days !== null;
  const labels = useBuyAgainLabels(item.ends_at === null ? null : item.duration_days);
  const query = new URLSearchParams({ library_id: item.library_id, target_lang: locale });
  if ((locked || !item.seen) && !calendarDate && !again) return null;
  return (
    <div className="-mx-3 flex flex-wrap items-start gap-x-1">
      {!locked && item.can_activate && item.duration_days !== null && (
        <ActivatePass libraryId={item.library_id} activatedAt={item.activated_at} />
      )}
      {calendarDate && (
        <a className="button button-quiet" href={`/api/v1/library/calendar?${query}`} download="pass.ics">
          {calendar("button")}
        </a>
      )}
      {!locked && item.seen && item.order_id !== null && <ResendKeys orderId={item.order_id} />}
      {!locked && item.seen && item.replacement?.state !== "asked" && (
        <ReplaceKey libraryId={item.library_id} />
      )}
      {again && <BuyAgain plan={item} name={`${item.product_name}, ${pass.name(item)}`} labels={labels} />}
    </div>
  );
}

/** Lists every time that a code was revealed or emailed, so that the owner can detect unauthorized access. */
function RevealLog({ reveals }: { reveals: RevealView[] }) {
  const t = useTranslations("delivery.log");
  if (reveals.length === 0) return null;
  return (
    <details className="border-t border-hairline pt-3">
      <summary className="hit cursor-pointer font-medium">{t("title", { count: reveals.length })}</summary>
      <ul className="space-y-1.5 pt-2">
        {reveals.map(({ at, way, device }) => (
          <li key={`${at} ${way}`} className="flex flex-wrap justify-between gap-x-4">
            <span>
              {way === "mailed" ? t("mailed") : device ? t("shown", { device }) : t("shown_somewhere")}
            </span>
            <LocalTime at={at} className="figures text-quiet" />
          </li>
        ))}
      </ul>
      <p className="pt-3 text-13 text-quiet">{t("strange")}</p>
    </details>
  );
}

export function ExpiredPass({ item, purchase }: { item: LibraryItem; purchase?: Purchase }) {
  const t = useTranslations("delivery.library");
  const pass = usePassLabels();
  const again = useBuyAgainLabels();
  const locale = useLocale();
  const lang = item.language === locale ? undefined : item.language;
  return (
    <details className="group py-3">
      <summary className="hit flex cursor-pointer items-center gap-3">
        <span className="size-8 flex-none opacity-60 [&>img]:size-full">
          <Emblem src={item.product_image} size={32} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="font-medium" lang={lang}>
            {item.product_name}
          </span>{" "}
          <span className="text-quiet">
            {pass.name(item)} ·{" "}
            {item.ends_at && (
              <LocalTimes of={[item.ends_at]}>
                {t("ended_on", { date: formatDate(item.ends_at, locale) })}
              </LocalTimes>
            )}
          </span>
        </span>
        <Icon name="down" size={18} className="text-quiet group-open:rotate-180" />
      </summary>
      <div className="@container flex flex-col gap-4 pt-3 pb-2">
        <PassCode item={item} purchase={purchase} />
        {item.can_buy_again && (
          <div className="-ml-3">
            <BuyAgain plan={item} name={`${item.product_name}, ${pass.name(item)}`} labels={again} />
          </div>
        )}
        <RevealLog reveals={item.reveals} />
      </div>
    </details>
  );
}

type PassTimes = Pick<LibraryItem, "duration_days" | "ends_at">;

const JUST_STARTED_MS = 3_600_000;

/** The clock of a pass: full until the code is revealed or activated, then the remaining time. */
export function PassClock({ pass, serverTime }: { pass: PassTimes; serverTime: string }) {
  const t = useTranslations("delivery.clock");
  const locale = useLocale();
  const left = pass.ends_at ? Math.max(0, Date.parse(pass.ends_at) - Date.parse(serverTime)) : null;
  const total = (pass.duration_days ?? 0) * 86_400_000;
  const whole = durationSpan(pass.duration_days, locale);
  // A pass that has just started still shows its full duration, because "6 days" seconds after "7 days" looks like an
  // error.
  const span =
    left === null || total - left < JUST_STARTED_MS
      ? { ...whole, spoken: spanText(whole, locale) }
      : remainingSpan(left, locale);
  const remaining = span.spoken;
  const label =
    pass.duration_days === null
      ? t("lifetime")
      : left === null
        ? t("not_started", { span: remaining })
        : left === 0
          ? t("ended")
          : t("left", { span: remaining });
  return (
    <ClockRing
      fraction={left === null || total === 0 ? null : left / total}
      value={span.value}
      unit={pass.duration_days === null ? undefined : span.unit}
      label={label}
    />
  );
}

export function ActivationGuide({
  guide,
  lang,
  open = false,
}: {
  guide: ActivationView;
  lang?: string;
  open?: boolean;
}) {
  const t = useTranslations("delivery.guide");
  if (guide.steps.length === 0 && !guide.url) return null;
  return (
    <details className="border-t border-hairline pt-3" open={open}>
      <summary className="hit cursor-pointer font-medium">{t("title")}</summary>
      <ol className="list-decimal space-y-1.5 pt-2 pl-5" lang={lang}>
        {guide.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {guide.url && (
        <p className="pt-3">
          <a href={guide.url} rel="noopener noreferrer" target="_blank" className="break-all underline">
            {t("open")}
          </a>
        </p>
      )}
    </details>
  );
}
