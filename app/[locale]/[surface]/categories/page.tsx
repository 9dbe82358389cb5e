import { getTranslations } from "next-intl/server";
import { CategoriesScreen } from "@/components/catalog/collections/categories-screen";
import { listCategoryCards } from "@/lib/catalog/listing/list-categories";
import { categoriesJsonLd } from "@/lib/catalog/seo";
import { type PageProps, pageLocation, publicTitle } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

export const generateMetadata = publicTitle("/categories", {
  title: "catalog.categories.title",
  description: "catalog.categories.description",
});

export default async function CategoriesPage({ params }: PageProps) {
  const location = await pageLocation(params);
  const categories = await listCategoryCards(location.locale);
  const t = await getTranslations({ locale: location.locale, namespace: "catalog" });
  const labels = {
    home: t("product.home"),
    title: t("categories.title"),
    description: t("categories.description"),
  };
  return <CategoriesScreen categories={categories} jsonLd={categoriesJsonLd(categories, location, labels)} />;
}
