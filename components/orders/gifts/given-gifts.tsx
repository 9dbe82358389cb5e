import { useLocale, useTranslations } from "next-intl";
import { Emblem } from "@/components/ui/emblem";
import { Link } from "@/components/ui/link";
import { TicketHero } from "@/components/ui/ticket/ticket-hero";
import { TicketOwned } from "@/components/ui/ticket/ticket-owned";
import type { GivenGift } from "@/lib/orders/gifts/contract";
import { durationSpan } from "@/lib/platform/format";
import { GiftState } from "./gift-state";

/** The gifts that the reader gave, in the library: for whom, and what has become of them. */
export function GivenGifts({ gifts, className }: { gifts: readonly GivenGift[]; className?: string }) {
  const t = useTranslations("orders.gift");
  const library = useTranslations("delivery.library");
  const pass = useTranslations("orders.pass");
  const locale = useLocale();
  if (gifts.length === 0) return null;
  return (
    <section aria-labelledby="given" className={className}>
      <h2 id="given" className="pb-3 text-21">
        {t("given_title")}
      </h2>
      <ul className="flex flex-col gap-4">
        {gifts.map((given) => (
          <li key={given.order_id}>
            <TicketOwned
              title={
                given.more > 0
                  ? t("given_more", { product: given.product_name, more: given.more })
                  : given.product_name
              }
              lang={given.language === locale || given.more > 0 ? undefined : given.language}
              subtitle={given.gift.recipient_email ?? t("erased")}
              emblem={<Emblem src={given.product_image} size={56} />}
              state="gift"
              holes={durationSpan(given.duration_days, locale)}
              clock={<TicketHero span={durationSpan(given.duration_days, locale)} label={pass("lifetime")} />}
              stub={
                <div className="grid h-full content-center gap-1 px-4 py-3 text-13">
                  <p>
                    <GiftState gift={given.gift} order={given} />
                  </p>
                  <Link
                    href={`/order-history?order_id=${given.order_id}`}
                    className="text-link justify-self-start"
                  >
                    {library("order", { number: given.order_number })}
                  </Link>
                </div>
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
