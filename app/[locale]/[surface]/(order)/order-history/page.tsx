import { notFound } from "next/navigation";
import { OrderHistoryScreen } from "@/components/orders/history/order-history-screen";
import { OrderScreen } from "@/components/orders/history/order-screen";
import { isDemoAccount } from "@/lib/accounts/is-demo-account";
import { ListOrdersInput } from "@/lib/orders/contract";
import { findOrder, findOwnOrder } from "@/lib/orders/find-order";
import { listOrders } from "@/lib/orders/list-orders";
import { orderPageTitle, type PageProps, queryValue, requirePageUser } from "@/lib/platform/pages/page";

export const generateMetadata = orderPageTitle("orders.history.title", "ui.descriptions.order_history", {
  find: findOwnOrder,
  list: true,
});

export default async function OrderHistoryPage(props: PageProps) {
  const { viewer, locale } = await requirePageUser(props, "/order-history");
  const orderId = await queryValue(props.searchParams, "order_id");
  if (orderId) {
    const order = await findOrder(viewer, orderId, locale);
    return order ? <OrderScreen order={order} /> : notFound();
  }
  const parsed = ListOrdersInput.safeParse({ page: await queryValue(props.searchParams, "page") });
  const input = parsed.success ? parsed.data : ListOrdersInput.parse({});
  const list = await listOrders(viewer, input, locale);
  return <OrderHistoryScreen list={list} {...input} demo={isDemoAccount(viewer)} />;
}
