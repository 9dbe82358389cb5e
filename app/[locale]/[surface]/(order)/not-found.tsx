import { OrderNotFound } from "@/components/orders/history/order-not-found";
import { notFoundLocale } from "@/lib/platform/pages/page";

export default async function NotFound() {
  return <OrderNotFound locale={await notFoundLocale()} />;
}
