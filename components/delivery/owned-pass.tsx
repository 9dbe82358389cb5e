import { useLocale, useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { Emblem } from "@/components/ui/emblem";
import { TicketOwned } from "@/components/ui/ticket/ticket-owned";
import type { LibraryItem } from "@/lib/delivery/contract";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { ActivationGuide } from "./activation-guide";
import { KeyCode } from "./key-code";
import { PassActions } from "./pass-actions";
import { PassClock } from "./pass-clock";
import { RevealLog } from "./reveal-log";

/** A pass of the user: its ticket with the clock, its code and its actions. */
export function OwnedPass({ item, serverTime }: { item: LibraryItem; serverTime: string }) {
  const t = useTranslations("delivery.library");
  const clock = useTranslations("delivery.clock");
  const pass = usePassLabels();
  const locale = useLocale();
  const lang = item.language === locale ? undefined : item.language;
  const note = item.ends_at
    ? t("until", { date: formatDate(item.ends_at, locale) })
    : item.duration_days === null
      ? undefined
      : clock("starts");
  return (
    <TicketOwned
      level="h2"
      title={item.product_name}
      href={`/product/${item.slug}`}
      lang={lang}
      subtitle={
        <>
          {item.maker} · {pass.name(item)}
        </>
      }
      emblem={<Emblem src={item.product_image} size={56} />}
      clock={<PassClock pass={item} serverTime={serverTime} />}
      clockNote={note}
    >
      <PassCode item={item} />
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

/** The code, or the reason why it is locked. */
export function PassCode({ item }: { item: LibraryItem }) {
  const t = useTranslations("delivery.library");
  if (item.refund_asked) return <p className="text-quiet">{t("refund_asked")}</p>;
  if (item.disputed) return <p className="text-quiet">{t("disputed")}</p>;
  return <KeyCode libraryId={item.library_id} masked={item.masked_code} />;
}

/** The start of the pass's clock. The vendor's period starts with the activation, which only the owner can report. */
function ClockStart({ item }: { item: LibraryItem }) {
  const t = useTranslations("delivery.library");
  const locale = useLocale();
  const revealedAt = item.ends_at === null ? null : item.revealed_at;
  if (item.activated_at === null && revealedAt === null) return null;
  return (
    <p className="text-13 text-quiet">
      {item.activated_at !== null
        ? t("activated", { moment: formatMoment(item.activated_at, locale) })
        : revealedAt !== null && t("counted", { moment: formatMoment(revealedAt, locale) })}
    </p>
  );
}

/** The state of the replacement request. */
function ReplacementState({ item: { replacement } }: { item: LibraryItem }) {
  const t = useTranslations("delivery.replace");
  const locale = useLocale();
  if (!replacement) return null;
  return (
    <p className="text-13 text-quiet">
      {t(replacement.state, { date: formatDate(replacement.asked_at, locale) })}
    </p>
  );
}
