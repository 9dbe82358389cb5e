import { ProductEditor } from "@/components/catalog/editor/product-editor";
import { WeakCodes } from "@/components/catalog/editor/weak-codes";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleProductParams } from "@/lib/catalog/console/contract-editor";
import { getEditedProduct } from "@/lib/catalog/console/get-edited-product";
import { listCategoryNames } from "@/lib/catalog/console/list-edited-categories";
import { listRevisions } from "@/lib/catalog/console/list-revisions";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("products.write"), {
  path: "/console/products/[id]",
  title: "console.editor.title",
  read: async (id, { locale }) => {
    const params = ConsoleProductParams.safeParse({ id });
    return params.success ? getEditedProduct(params.data.id, locale) : null;
  },
  unknown: "product_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleProductPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { found: product } = page;
  const revisions = await listRevisions(product.product_id);
  const categories = await listCategoryNames(page.locale);
  // A saved product begins a new draft.
  return (
    <>
      <ProductEditor key={product.revision} product={product} revisions={revisions} categories={categories} />
      <WeakCodes productId={product.product_id} allowed={product.weak_codes} />
    </>
  );
}
