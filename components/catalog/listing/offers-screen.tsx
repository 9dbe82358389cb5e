import { useTranslations } from "next-intl";
import { ComparableProducts } from "@/components/catalog/compare/comparable-products";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import type { ProductList } from "@/lib/catalog/contract";
import { ListControls } from "./list-controls";

export function OffersScreen({ products }: { products: ProductList }) {
  const t = useTranslations("catalog.offers");
  const none = products.items.length === 0;
  return (
    <Page title={t("title")} lead={none ? undefined : t("lead")}>
      {none ? (
        <EmptyState
          title={t("empty")}
          action={<ButtonLink href="/top-trending">{t("empty_action")}</ButtonLink>}
        >
          {t("empty_text")}
        </EmptyState>
      ) : (
        <>
          <ListControls path="/limited-offer" of={{ q: t("search_words") }} />
          <ComparableProducts items={products.items} exact first />
        </>
      )}
    </Page>
  );
}
