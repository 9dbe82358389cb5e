import { OrderMissing } from "@/components/orders/order-missing";
import { notFoundLocale } from "@/lib/page";

export default async function NotFound() {
  return <OrderMissing locale={await notFoundLocale()} />;
}
