import { endpoint } from "@/lib/platform/api/endpoint";
import { ConsoleCustomerDetail, ConsoleCustomerParams } from "@/lib/staff/customers/contract";
import { getConsoleCustomer } from "@/lib/staff/customers/get-console-customer";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "A customer with orders, passes, coupons, devices and emails",
    access: staff("customers.read"),
    params: ConsoleCustomerParams,
    result: ConsoleCustomerDetail,
    errors: ["customer_unknown"],
  },
  ({ params, locale }) => getConsoleCustomer(params.id, locale),
);
