import { OrderMissing } from "@/components/orders/order-missing";

export { orderMissingMetadata as generateMetadata } from "@/components/orders/order-missing";

export default function NotFound() {
  return <OrderMissing />;
}
