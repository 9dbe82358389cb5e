import { ConsoleProducts } from "@/components/catalog/console/product-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleProductsInput } from "@/lib/catalog/console/contract";
import { listConsoleProducts } from "@/lib/catalog/console/list-console-products";
import { listCategoryNames } from "@/lib/catalog/console/list-edited-categories";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "products",
  path: "/console/products",
  title: "console.products.title",
  access: staff("products.read"),
  input: ConsoleProductsInput,
  read: (input, { locale }) => listConsoleProducts(input, locale),
  more: async ({ locale }) => ({ categories: await listCategoryNames(locale) }),
  screen: ConsoleProducts,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
