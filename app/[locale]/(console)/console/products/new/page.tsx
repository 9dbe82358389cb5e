import { ProductEditor } from "@/components/catalog/editor/product-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/list-edited-categories";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("products.write");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.editor" }))("new_title"),
  );

export default async function NewProductPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/products/new");
  if (!page) return <NotFoundScreen />;
  return <ProductEditor product={null} revisions={null} categories={await listCategoryNames(page.locale)} />;
}
