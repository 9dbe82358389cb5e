import { ProductEditor } from "@/components/catalog/editor/product-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleProductParams } from "@/lib/catalog/console/contract-editor";
import { getEditedProduct, listCategoryNames, listRevisions } from "@/lib/catalog/console/queries-editor";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("products.write");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.editor" }))("title"),
  );

export default async function ConsoleProductPage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/products/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const params = ConsoleProductParams.safeParse({ id });
  const product =
    params.success &&
    (await getEditedProduct(params.data.id, page.locale).catch((error: unknown) => {
      if (!isShopError(error, "product_unknown")) throw error;
    }));
  if (!product) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const revisions = await listRevisions(product.product_id);
  const categories = await listCategoryNames(page.locale);
  // A saved product begins a new draft.
  return (
    <ProductEditor key={product.revision} product={product} revisions={revisions} categories={categories} />
  );
}
