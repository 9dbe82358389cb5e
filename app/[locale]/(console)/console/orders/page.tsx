import { redirect } from "next/navigation";
import { ConsoleOrders } from "@/components/orders/console/order-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { listConsoleOrders } from "@/lib/orders/console/queries";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage, queryValues } from "@/lib/platform/pages/console";
import { localizedPath } from "@/lib/platform/routing/paths";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("orders.read");
const PATH = "/console/orders";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.orders" }))("title"),
  );

/** Values of the address that are no filters are left out; a cursor of other filters leads to the first page. */
export default async function OrdersPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const values = await queryValues(props.searchParams);
  const input = ConsoleOrdersInput.safeParse(values);
  const list = await (input.success
    ? listConsoleOrders(input.data, page.locale)
    : Promise.reject(input.error)
  ).catch((error: unknown) => {
    if (input.success && !isShopError(error, "cursor_invalid")) throw error;
    redirect(localizedPath(PATH, { locale: page.locale, surface: "desktop" }));
  });
  return <ConsoleOrders list={list} values={values} />;
}
