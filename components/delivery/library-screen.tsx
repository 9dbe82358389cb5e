import { useLocale, useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { Emblem } from "@/components/ui/emblem";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import { TicketOwned } from "@/components/ui/ticket-owned";
import type { LibraryItem, LibraryList } from "@/lib/delivery/contract";
import { formatDate } from "@/lib/format";
import { ActivationGuide } from "./activation-guide";
import { KeyCode } from "./key-code";
import { PassClock } from "./pass-clock";
import { ResendKeys } from "./resend-keys";
import { useKeyWords } from "./use-key-words";
import { useResendWords } from "./use-resend-words";

/** The passes that one owns: tickets with clocks, those ending soon first. */
export function LibraryScreen({ library }: { library: LibraryList }) {
  const t = useTranslations("delivery.library");
  return (
    <Page
      title={t("title")}
      lead={library.total > 0 ? t("lead", { count: library.total }) : undefined}
      narrow
    >
      {library.total === 0 ? (
        <EmptyState
          title={t("empty_title")}
          action={<ButtonLink href="/top-trending">{t("empty_action")}</ButtonLink>}
        >
          {t("empty_text")}
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-5">
          {library.items.map((item) => (
            <li key={item.library_id}>
              <OwnedPass item={item} serverTime={library.server_time} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function OwnedPass({ item, serverTime }: { item: LibraryItem; serverTime: string }) {
  const t = useTranslations("delivery.library");
  const pass = useTranslations("catalog");
  const locale = useLocale();
  const lang = item.language === locale ? undefined : item.language;
  const words = useKeyWords();
  const resend = useResendWords();
  const note = item.ends_at
    ? t("until", { date: formatDate(item.ends_at, locale) })
    : item.duration_days === null
      ? undefined
      : t("starts");
  return (
    <TicketOwned
      level="h2"
      title={item.product_name}
      href={`/product/${item.slug}`}
      lang={lang}
      subtitle={
        <>
          {item.maker} · {pass(`pass_type.${item.vip_type}`)}
        </>
      }
      emblem={<Emblem src={item.product_image} size={56} />}
      clock={<PassClock pass={item} serverTime={serverTime} />}
      clockNote={note}
    >
      {item.refund_asked ? (
        <p className="text-quiet">{t("refund_asked")}</p>
      ) : (
        <KeyCode libraryId={item.library_id} masked={item.masked_code} words={words} />
      )}
      {item.redeem_by && (
        <p className="text-13 text-quiet">{t("redeem_by", { date: formatDate(item.redeem_by, locale) })}</p>
      )}
      <ActivationGuide guide={item.activation} lang={lang} />
      {!item.refund_asked && <ResendKeys orderId={item.order_id} words={resend} />}
    </TicketOwned>
  );
}
