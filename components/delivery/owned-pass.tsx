import { useLocale, useTranslations } from "next-intl";
import type { ComponentType } from "react";
import { BuyAgain } from "@/components/cart/buy-again";
import { useBuyAgainLabels } from "@/components/cart/buy-again-labels";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { RefundLine } from "@/components/payments/refund-line";
import { ClockRing } from "@/components/ui/clock-ring";
import { Dated } from "@/components/ui/dated";
import { LocalTime } from "@/components/ui/local-time";
import { LocalTimes } from "@/components/ui/local-times";
import { TicketHero } from "@/components/ui/ticket/ticket-hero";
import type { ActivationView } from "@/lib/catalog/contract";
import type { LibraryItem, RevealView } from "@/lib/delivery/contract";
import { passState } from "@/lib/delivery/rules-ticket";
import type { OrderProduct, OrderView } from "@/lib/orders/contract";
import { revealCost } from "@/lib/orders/rules";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import {
  durationSpan,
  formatDate,
  formatDay,
  formatMoment,
  formatWeekday,
  remainingSpan,
  spanText,
} from "@/lib/platform/format";
import { perforation, type TicketState, ticketUnit } from "@/lib/platform/ticket";
import { KeyCode } from "./key-code";
import { ActivatePass, ReplaceKey } from "./pass-forms";
import { PassTicket } from "./pass-ticket";
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

/** A pass of the library as a ticket: its shape is its state, its holes count its time. */
export function OwnedPass({ item, serverTime, purchase, LineRefund }: OwnedPassProps) {
  const t = useTranslations("delivery.library");
  const locale = useLocale();
  const lang = item.language === locale ? undefined : item.language;
  const state = passState(item, serverTime);
  return (
    <PassTicket
      level="h2"
      pass={item}
      state={state}
      holes={passHoles(item, serverTime)}
      clock={<PassClock pass={item} serverTime={serverTime} />}
      status={<PassStatus item={item} serverTime={serverTime} />}
      actions={state === "torn" || state === "ended" ? <Again item={item} state={state} /> : undefined}
      slot={!isLocked(item)}
      stub={<PassStub item={item} purchase={purchase} />}
      more={{
        label: t("more"),
        content: (
          <>
            {purchase && <PassRefund item={item} purchase={purchase} LineRefund={LineRefund} />}
            <UnseenNotes item={item} purchase={purchase} />
            {item.gift_claimed_at && <ReceivedGift claimedAt={item.gift_claimed_at} />}
            <ClockStart item={item} />
            <ReplacementState item={item} />
            <PassActions item={item} state={state} />
            <ActivationGuide guide={item.activation} lang={lang} />
            <RevealLog reveals={item.reveals} />
          </>
        ),
      }}
    />
  );
}

const isLocked = (item: LibraryItem) => item.refund_asked || item.disputed || item.payment_checked;

/** The holes of a pass's ticket at the time of the page. */
export const passHoles = (pass: PassTimes, serverTime: string) =>
  perforation({ durationDays: pass.duration_days, end: pass.ends_at }, serverTime);

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
  const t = useTranslations("delivery.library");
  if (isLocked(item)) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <div>
        <RefundLine refund={line.refund} />
        {revealCost(line, item) && (
          <p className="text-13 text-quiet">{t("cost_after", { hours: VENDOR_CONFIRMATION_HOURS })}</p>
        )}
      </div>
      {line.can_refund && <LineRefund line={line} orderId={order.order_id} className="-mx-3" />}
    </div>
  );
}

/** The code of a pass on its stub; a locked one says why it cannot be shown. */
function PassStub({ item, purchase }: { item: LibraryItem; purchase?: Purchase }) {
  const t = useTranslations("delivery.library");
  const code = useTranslations("delivery.code");
  if (isLocked(item))
    return (
      <p className="grid h-full content-center px-4 py-3 text-13 text-quiet">
        {t(item.refund_asked ? "refund_asked" : item.disputed ? "disputed" : "payment_checked")}
      </p>
    );
  const isMailed = item.seen && item.revealed_at === null && item.activated_at === null;
  return (
    <KeyCode
      libraryId={item.library_id}
      masked={item.masked_code}
      needsConsent={item.needs_consent}
      withdrawal={purchase?.order.withdrawal_applies ?? false}
      received={item.order_id === null}
      cost={purchase ? revealCost(purchase.line, item) : null}
      startsDays={item.ends_at === null ? item.duration_days : null}
      note={isMailed ? code("in_email") : undefined}
    />
  );
}

/**
 * The state of a pass as text, a near redemption deadline first. Nothing for a code that is kept unrevealed, or locked, whose
 * stub has its own text.
 */
function PassStatus({ item, serverTime }: { item: LibraryItem; serverTime: string }) {
  const t = useTranslations("delivery.library");
  const clock = useTranslations("delivery.clock");
  const locale = useLocale();
  const started = item.revealed_at !== null || item.activated_at !== null;
  if (started) return <PassTime pass={item} serverTime={serverTime} />;
  if (item.redeem_by && Date.parse(item.redeem_by) - Date.parse(serverTime) < REDEEM_SOON_MS)
    return <Dated>{t("redeem_by", { date: formatDate(item.redeem_by, locale) })}</Dated>;
  if (item.needs_consent || isLocked(item)) return null;
  if (item.duration_days === null) return clock("lifetime");
  return (
    <p>
      <strong className="ticket-unstarted">{clock("unstarted")}</strong>{" "}
      {clock("starts", { days: item.duration_days })}
    </p>
  );
}

/** The notes about an unseen code, with its redemption deadline. */
function UnseenNotes({ item, purchase }: { item: LibraryItem; purchase?: Purchase }) {
  const t = useTranslations("delivery.library");
  const locale = useLocale();
  return (
    <>
      {item.needs_consent && !isLocked(item) && (
        <p className="text-13 text-quiet">
          {t(purchase?.order.withdrawal_applies ? "unseen" : "unseen_plain")}
        </p>
      )}
      {item.redeem_by && (
        <p className="text-13 text-quiet">
          <Dated>{t("redeem_by", { date: formatDate(item.redeem_by, locale) })}</Dated>
        </p>
      )}
    </>
  );
}

/** "Day 3 of 7, ends Wednesday 19:38": the progress of a running pass. */
export function PassTime({ pass, serverTime }: { pass: PassTimes & PassStart; serverTime: string }) {
  const t = useTranslations("delivery.clock");
  const locale = useLocale();
  const started = pass.activated_at ?? pass.revealed_at;
  if (pass.duration_days === null || pass.ends_at === null)
    return started ? (
      <LocalTimes of={[started]}>{t("lifetime_open", { date: formatDate(started, locale) })}</LocalTimes>
    ) : (
      t("lifetime")
    );
  const { units, present } = passHoles(pass, serverTime);
  if (present === null)
    return (
      <LocalTimes of={[pass.ends_at]}>{t("ended_on", { date: formatDate(pass.ends_at, locale) })}</LocalTimes>
    );
  const isSoon = Date.parse(pass.ends_at) - Date.parse(serverTime) < WEEKDAY_MS;
  return (
    <LocalTimes of={[pass.ends_at]}>
      {t("running", {
        unit: ticketUnit(pass.duration_days),
        now: present + 1,
        all: units ?? 1,
        moment: (isSoon ? formatWeekday : formatDay)(pass.ends_at, locale),
      })}
    </LocalTimes>
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

/** Buys the pass again, or extends a running one. Nothing for a pass without an end. */
function Again({ item, state }: { item: LibraryItem; state: TicketState }) {
  const pass = usePassLabels();
  const labels = useBuyAgainLabels(state === "torn" ? item.duration_days : null);
  if (!canBuyAgain(item)) return null;
  return <BuyAgain plan={item} name={`${item.product_name}, ${pass.name(item)}`} labels={labels} />;
}

const canBuyAgain = (item: LibraryItem) => item.can_buy_again && item.duration_days !== null;

/** The actions of a pass. A pass with a locked or unrevealed code offers only actions that need no code. */
function PassActions({ item, state }: { item: LibraryItem; state: TicketState }) {
  const calendar = useTranslations("delivery.calendar");
  const locale = useLocale();
  const locked = isLocked(item);
  // Offered once the pass's time has begun.
  const calendarDate = item.ends_at;
  const query = new URLSearchParams({ library_id: item.library_id, target_lang: locale });
  if ((locked || !item.seen) && !calendarDate && !canBuyAgain(item)) return null;
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
      <div className="ticket-more-again">
        <Again item={item} state={state} />
      </div>
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

type PassTimes = Pick<LibraryItem, "duration_days" | "ends_at">;
type PassStart = Pick<LibraryItem, "activated_at" | "revealed_at">;

/** Below this remaining time the end is a weekday, and on the last day the ring empties. */
const WEEKDAY_MS = 6 * 86_400_000;
const RING_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Above this remaining time the clock counts whole days. */
const DAYS_MS = 30 * 86_400_000;
const REDEEM_SOON_MS = 30 * 86_400_000;

/** The clock of a pass: its duration until the code is revealed or activated, then the remaining time. */
export function PassClock({ pass, serverTime }: { pass: PassTimes; serverTime: string }) {
  const t = useTranslations("delivery.clock");
  const locale = useLocale();
  const left = pass.ends_at ? Math.max(0, Date.parse(pass.ends_at) - Date.parse(serverTime)) : null;
  const whole = durationSpan(pass.duration_days, locale);
  if (left === null || left === 0) {
    const text = left === 0 ? t("ended") : t("not_started", { span: spanText(whole, locale) });
    return (
      <div role="img" aria-label={pass.duration_days === null ? t("lifetime") : text}>
        <TicketHero span={whole} label={t("lifetime_short")} />
      </div>
    );
  }
  const shown = left < DAYS_MS ? left : left - (left % RING_MS);
  const span = remainingSpan(shown, locale);
  const label = t("left", { span: span.spoken });
  if (left <= RING_MS)
    return <ClockRing fraction={left / RING_MS} value={span.value} unit={span.unit} label={label} />;
  return (
    <div role="img" aria-label={label}>
      <TicketHero
        span={{
          value: span.value,
          unit: t(shown % RING_MS < HOUR_MS ? "remaining_days" : "remaining", { unit: span.unit }),
        }}
      />
    </div>
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
