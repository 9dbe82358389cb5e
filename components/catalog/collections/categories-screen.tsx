import { useTranslations } from "next-intl";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import type { CategoryCard } from "@/lib/catalog/contract";
import { CollectionArt } from "./collection-art";

/** All categories with artwork, text and the number of products. */
export function CategoriesScreen({
  categories,
  jsonLd,
}: {
  categories: readonly CategoryCard[];
  jsonLd: unknown;
}) {
  const t = useTranslations("catalog");
  return (
    <Page
      jsonLd={jsonLd}
      above={
        <Breadcrumb
          label={t("product.path")}
          items={[{ text: t("product.home"), href: "/" }, { text: t("categories.title") }]}
        />
      }
      title={t("categories.title")}
      lead={t("categories.lead")}
    >
      <ul className="category-cards">
        {categories.map(({ category, category_name, total, text, images }) => (
          <li key={category}>
            {/* One of the pictures, so that the page stays within the bar of requests (docs/performance.md#bars). */}
            <CollectionArt images={images.slice(0, 1)} />
            <div>
              <h2 className="text-21">
                <Link href={`/category/${category}`}>{category_name}</Link>
              </h2>
              {text && <p className="pt-1 text-quiet">{text}</p>}
              <p className="figures pt-1 text-13 text-quiet">{t("home.category_count", { count: total })}</p>
            </div>
          </li>
        ))}
      </ul>
    </Page>
  );
}
