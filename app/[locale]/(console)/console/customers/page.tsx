import { ConsoleCustomers } from "@/components/accounts/console/customer-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleCustomersInput } from "@/lib/accounts/console/contract";
import { listConsoleCustomers } from "@/lib/accounts/console/list-console-customers";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "customers",
  path: "/console/customers",
  title: "console.customers.title",
  access: staff("customers.read"),
  input: ConsoleCustomersInput,
  read: (input) => listConsoleCustomers(input),
  screen: ConsoleCustomers,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
