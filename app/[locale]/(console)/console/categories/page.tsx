import { CategoriesScreen } from "@/components/catalog/console/categories-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listEditedCategories, listEditedSynonyms } from "@/lib/catalog/console/list-edited-categories";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("products.write");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.categories" }))("title"),
  );

export default async function ConsoleCategoriesPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/categories");
  if (!page) return <NotFoundScreen />;
  const { items: categories } = await listEditedCategories();
  const { items: synonyms } = await listEditedSynonyms();
  return <CategoriesScreen categories={categories} synonyms={synonyms} />;
}
