import { useTranslations } from "next-intl";
import { ProductTickets } from "@/components/catalog/product-ticket";
import { SubscribeSection } from "@/components/notifications/subscribe-section";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import type { ProductList } from "@/lib/catalog/contract";

const RULES = ["one", "verified", "real"] as const;

/** What can be had without paying, and on which terms (spec §2 /free-voucher). */
export function FreePassesScreen({ products }: { products: ProductList }) {
  const t = useTranslations("coupons.free");
  return (
    <Page title={t("title")} lead={t("lead")}>
      {products.items.length > 0 ? (
        <ProductTickets items={products.items} exact first />
      ) : (
        <EmptyState title={t("none")} action={<ButtonLink href="/top-trending">{t("browse")}</ButtonLink>}>
          {t("none_text")}
        </EmptyState>
      )}
      <section aria-labelledby="rules" className="pt-14">
        <h2 id="rules" className="pb-3 text-21">
          {t("rules")}
        </h2>
        <ul className="flex max-w-text list-disc flex-col gap-2 pl-5">
          {RULES.map((rule) => (
            <li key={rule}>{t(`rule.${rule}`)}</li>
          ))}
        </ul>
      </section>
      <SubscribeSection />
    </Page>
  );
}
