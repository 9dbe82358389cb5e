// docs/product.md#75-orders-and-payment gives this call two names.
export { GET } from "@/app/api/v1/order/detail/route";
