import { OrderMissing } from "@/components/orders/history/order-missing";
import { notFoundLocale } from "@/lib/platform/pages/page";

export default async function NotFound() {
  return <OrderMissing locale={await notFoundLocale()} />;
}
