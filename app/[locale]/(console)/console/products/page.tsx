import { ConsoleProducts } from "@/components/catalog/console/product-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { ConsoleProductsInput } from "@/lib/catalog/console/contract";
import { listConsoleProducts } from "@/lib/catalog/console/list-console-products";
import { listCategoryNames } from "@/lib/catalog/console/list-edited-categories";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("products.read");
const PATH = "/console/products";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.products" }))("title"),
  );

export default async function ConsoleProductsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleProductsInput, (input) =>
    listConsoleProducts(input, page.locale),
  );
  const { items: views } = await listViews(page.viewer, "products");
  return (
    <ConsoleProducts
      list={list}
      values={values}
      categories={await listCategoryNames(page.locale)}
      mayWrite={mayStaff(page.viewer.staff.roles, "products.write")}
      tools={<ListTools list="products" values={values} views={views} exports />}
    />
  );
}
