"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useActorName } from "@/components/console/actor";
import { useFraudType } from "@/components/console/use-fraud-type";
import { useMailName } from "@/components/notifications/console/mail-name";
import { NoteText } from "@/components/staff/note-text";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleMail } from "@/lib/notifications/console/contract";
import { MAIL_EVENTS, type MailEvent } from "@/lib/notifications/rules";
import type { TimelineEntry } from "@/lib/orders/console/contract-detail";
import type { KeptCodes } from "@/lib/orders/console/rules";
import { type Burst, burstTimes, foldBursts, namesOfBurst } from "@/lib/orders/console/rules-timeline";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { WRITING } from "@/lib/platform/i18n/locales";
import type { Mentionable } from "@/lib/staff/notes/rules";
import { useDisputeTexts } from "./dispute-texts";

const isMailEvent = (text: string | undefined): text is MailEvent =>
  (MAIL_EVENTS as readonly (string | undefined)[]).includes(text);

/** Why money was returned, in words; a reason of an earlier release stays as it was stored. */
export function useRefundReason(): (reason: string) => string {
  const t = useTranslations("console.refund_reason");
  return (reason) => (t.has(reason as "requested") ? t(reason as "requested") : reason);
}

/** What an entry says besides what happened. */
function useEntryDetail(): (entry: TimelineEntry) => string | null {
  const mailName = useMailName();
  const keptText = useTranslations("console.kept_codes");
  const dispute = useDisputeTexts();
  const fraudType = useFraudType();
  const refundReason = useRefundReason();
  return ({ kind, event, detail }) => {
    if ((kind === "email" || kind === "staff") && detail) {
      const [mail, codes] = detail.split(".");
      if (isMailEvent(mail)) return mailName({ event: mail, codes: codes as ConsoleMail["codes"] });
    }
    if (kind === "order" && event === "assigned") return detail && keptText(detail as KeptCodes);
    if (kind === "dispute" && detail)
      return event === "closed" ? dispute.status(detail) : dispute.reason(detail);
    if (kind === "warning" && event === "received" && detail) return fraudType(detail);
    if (kind === "order" && detail) return refundReason(detail);
    // "US$26.00 · requested": the amount and the reason.
    if (kind === "refund" && event === "created" && detail) {
      const [amount = "", reason = ""] = detail.split(" · ");
      return `${amount} · ${refundReason(reason)}`;
    }
    return detail;
  };
}

/** Times of day with seconds, in the reader's zone. */
function useClock(): (at: string) => string {
  const { locale } = useSurface();
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: useTimeZone(),
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  return (at) => format.format(new Date(at));
}

/** All that happened to an order by day, the newest first; what happened within seconds is folded. `children`: a new note. */
export function Timeline({
  entries,
  people = [],
  children,
}: {
  entries: readonly TimelineEntry[];
  /** whom notes name */
  people?: readonly Mentionable[];
  children?: ReactNode;
}) {
  const { locale } = useSurface();
  const zone = useTimeZone();
  const days = new Map<string, Burst[]>();
  for (const burst of foldBursts(entries).reverse()) {
    const day = formatDate(burst.entries[0]!.at, locale, zone);
    days.set(day, [...(days.get(day) ?? []), burst]);
  }
  return (
    <>
      {children}
      {[...days].map(([day, bursts]) => (
        <section key={day} aria-label={day}>
          <h3 className="pt-2 pb-0.5 text-13 font-medium text-quiet">{day}</h3>
          <ol>
            {bursts.map((burst) =>
              burst.entries.length > 1 ? (
                <FoldedBurst
                  key={`${burst.entries[0]!.at} ${burst.entries.length}`}
                  burst={burst}
                  people={people}
                />
              ) : (
                <Entry key={keyOf(burst.entries[0]!)} entry={burst.entries[0]!} people={people} />
              ),
            )}
          </ol>
        </section>
      ))}
    </>
  );
}

const keyOf = ({ at, kind, event, detail }: TimelineEntry) => [at, kind, event, detail].join(" ");

function FoldedBurst({ burst, people }: { burst: Burst; people: readonly Mentionable[] }) {
  const t = useTranslations("console.timeline");
  const { locale } = useSurface();
  const clock = useClock();
  const { entries } = burst;
  const names = namesOfBurst(burst).map((entry) => eventName(t, entry) ?? entry.event);
  const times = burstTimes(clock(entries[0]!.at), clock(entries.at(-1)!.at));
  return (
    <li className="border-b border-hairline last:border-b-0">
      <details>
        <summary className="grid min-h-9 cursor-pointer list-none grid-cols-[9.25rem_1fr_auto] items-center gap-x-3 hover:bg-tint max-[899px]:min-h-11">
          <span className="figures text-13 text-quiet">{times}</span>
          <span className="min-w-0 truncate" title={names.join(" · ")}>
            {names.join(WRITING[locale] === "spaced" ? ", " : "、")}
          </span>
          <span className="text-13 text-quiet underline decoration-hairline">
            {t("burst", { count: entries.length })}
          </span>
        </summary>
        <ol className="ml-2 border-l-2 border-hairline pl-3">
          {entries.toReversed().map((entry, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries keep their order
            <Entry key={i} entry={entry} people={people} />
          ))}
        </ol>
      </details>
    </li>
  );
}

type TimelineTexts = ReturnType<typeof useTranslations<"console.timeline">>;

function eventName(t: TimelineTexts, { kind, event }: TimelineEntry): string | null {
  const key = `${kind}.${event.replaceAll(".", "_")}` as "order.created";
  return t.has(key) ? t(key) : null;
}

function Entry({ entry, people }: { entry: TimelineEntry; people: readonly Mentionable[] }) {
  const t = useTranslations("console.timeline");
  const { locale } = useSurface();
  const zone = useTimeZone();
  const clock = useClock();
  const actorName = useActorName();
  const detailOf = useEntryDetail();
  const { at, kind, event, detail, actor, device } = entry;
  const by = [actor && actorName(actor), device].filter(Boolean).join(" · ");
  return (
    <li className="grid grid-cols-[4.5rem_4rem_1fr] gap-x-3 border-b border-hairline py-1 last:border-b-0 max-[899px]:grid-cols-[1fr_auto]">
      <time
        dateTime={at}
        title={formatMoment(at, locale, zone)}
        className="figures text-13 leading-6 text-quiet"
      >
        {clock(at)}
      </time>
      <span className="text-13 leading-6 text-quiet max-[899px]:text-right">{t(`kinds.${kind}`)}</span>
      {kind === "note" ? (
        <span className="min-w-0 max-[899px]:col-span-2">
          <NoteText text={detail ?? ""} people={people} />
          {by && <span className="text-13 text-quiet">{by}</span>}
        </span>
      ) : (
        <span className="min-w-0 wrap-anywhere max-[899px]:col-span-2">
          {eventName(t, entry) ?? <code className="font-mono">{event}</code>}
          {detail && ` · ${detailOf(entry)}`}
          {by && <span className="text-quiet">{` · ${by}`}</span>}
        </span>
      )}
    </li>
  );
}
