import { ConsoleMerchants } from "@/components/merchants/console/merchant-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleMerchantsInput } from "@/lib/merchants/console/contract-merchants";
import { listConsoleMerchants } from "@/lib/merchants/console/list-console-merchants";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "merchants",
  path: "/console/merchants",
  title: "console.merchants.title",
  access: staff("merchants.read"),
  input: ConsoleMerchantsInput,
  read: (input) => listConsoleMerchants(input),
  screen: ConsoleMerchants,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
