import { useLocale, useTranslations } from "next-intl";
import type { LibraryItem } from "@/lib/delivery/contract";
import { ActivatePass } from "./activate-pass";
import { ReplaceKey } from "./replace-key";
import { ResendKeys } from "./resend-keys";

/** The actions of a pass. A pass with a locked code offers only actions that need no code. */
export function PassActions({ item }: { item: LibraryItem }) {
  const calendar = useTranslations("delivery.calendar");
  const locale = useLocale();
  const locked = item.refund_asked || item.disputed;
  const calendarDate = item.ends_at ?? (item.revealed_at ? null : item.redeem_by);
  const query = new URLSearchParams({ library_id: item.library_id, target_lang: locale });
  if (locked && !calendarDate) return null;
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
      {!locked && <ResendKeys orderId={item.order_id} className="" />}
      {!locked && item.replacement?.state !== "asked" && <ReplaceKey libraryId={item.library_id} />}
    </div>
  );
}
