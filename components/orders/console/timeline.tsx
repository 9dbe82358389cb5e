"use client";

import { useTranslations } from "next-intl";
import { useActorName } from "@/components/console/actor";
import { ShortTime } from "@/components/console/time";
import { useMailName } from "@/components/notifications/console/mail-name";
import type { ConsoleMail } from "@/lib/notifications/console/contract";
import { MAIL_EVENTS, type MailEvent } from "@/lib/notifications/rules";
import type { TimelineEntry } from "@/lib/orders/console/contract-detail";
import type { KeptCodes } from "@/lib/orders/console/rules";
import { useDisputeTexts } from "./dispute-texts";

const isMailEvent = (text: string | undefined): text is MailEvent =>
  (MAIL_EVENTS as readonly (string | undefined)[]).includes(text);

/** Why money was returned, in words; a reason of an earlier release stays as it was stored. */
export function useRefundReason(): (reason: string) => string {
  const t = useTranslations("console.refund_reason");
  return (reason) => (t.has(reason as "requested") ? t(reason as "requested") : reason);
}

/** All that happened to an order, the oldest first. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const t = useTranslations("console.timeline");
  const mailName = useMailName();
  const keptText = useTranslations("console.kept_codes");
  const actorName = useActorName();
  const dispute = useDisputeTexts();
  const refundReason = useRefundReason();
  const say = ({ kind, event, detail }: TimelineEntry) => {
    if ((kind === "email" || kind === "staff") && detail) {
      const [mail, codes] = detail.split(".");
      if (isMailEvent(mail)) return mailName({ event: mail, codes: codes as ConsoleMail["codes"] });
    }
    if (kind === "order" && event === "assigned") return detail && keptText(detail as KeptCodes);
    if (kind === "dispute" && detail)
      return event === "closed" ? dispute.status(detail) : dispute.reason(detail);
    if (kind === "order" && detail) return refundReason(detail);
    // "US$26.00 · requested": the amount and the reason.
    if (kind === "refund" && event === "created" && detail) {
      const [amount = "", reason = ""] = detail.split(" · ");
      return `${amount} · ${refundReason(reason)}`;
    }
    return detail;
  };
  return (
    <ol className="flex flex-col">
      {entries.map((entry, i) => {
        const { at, kind, event, detail, actor, device } = entry;
        const by = [actor && actorName(actor), device].filter(Boolean).join(" · ");
        const key = `${kind}.${event.replaceAll(".", "_")}` as "order.created";
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: entries keep their order
            key={i}
            className="grid grid-cols-[9.5rem_5.5rem_1fr] gap-x-4 border-b border-hairline py-2 max-[899px]:grid-cols-[1fr_auto]"
          >
            <span className="text-quiet">
              <ShortTime at={at} />
            </span>
            <span className="text-13 text-quiet max-[899px]:text-right">{t(`kinds.${kind}`)}</span>
            <span className="min-w-0 wrap-anywhere max-[899px]:col-span-2">
              {t.has(key) ? t(key) : <code className="font-mono">{event}</code>}
              {detail && ` · ${say(entry)}`}
              {by && <span className="text-quiet">{` · ${by}`}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
