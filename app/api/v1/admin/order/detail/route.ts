// Spec §7 gives this call two names.
export { GET } from "@/app/api/v1/order/detail/route";
