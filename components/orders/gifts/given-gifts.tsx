import { useLocale, useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import type { GivenGift } from "@/lib/orders/gifts/contract";
import { GiftState } from "./gift-state";

/** The gifts that the reader gave, in the library: for whom, and what has become of them. */
export function GivenGifts({ gifts, className }: { gifts: readonly GivenGift[]; className?: string }) {
  const t = useTranslations("orders.gift");
  const library = useTranslations("delivery.library");
  if (gifts.length === 0) return null;
  return (
    <section aria-labelledby="given" className={className}>
      <h2 id="given" className="pb-3 text-21">
        {t("given_title")}
      </h2>
      <ul className="divide-y divide-hairline border-y border-hairline">
        {gifts.map((given) => (
          <li key={given.order_id} className="flex items-center justify-between gap-x-6 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-medium">
                <GiftName given={given} />
              </p>
              <p className="text-13 text-quiet">
                <span className="break-all">{given.gift.recipient_email ?? t("erased")}</span> ·{" "}
                <GiftState gift={given.gift} order={given} />
              </p>
            </div>
            <Link href={`/order-history?order_id=${given.order_id}`} className="button button-quiet -mx-3">
              {library("order", { number: given.order_number })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function GiftName({ given }: { given: GivenGift }) {
  const t = useTranslations("orders.gift");
  const lang = given.language === useLocale() ? undefined : given.language;
  const name = <span lang={lang}>{given.product_name}</span>;
  return given.more > 0 ? t.rich("given_more", { product: () => name, more: given.more }) : name;
}
