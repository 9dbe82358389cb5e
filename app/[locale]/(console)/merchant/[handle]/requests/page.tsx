import { MerchantRequests } from "@/components/merchants/requests/request-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantRequestsInput } from "@/lib/merchants/requests/contract";
import { listMerchantRequests } from "@/lib/merchants/requests/list-merchant-requests";
import { merchant } from "@/lib/merchants/rules";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/requests",
  title: "console.merchant_requests.title",
  access: merchant("requests.read"),
  input: MerchantRequestsInput,
  read: listMerchantRequests,
  screen: MerchantRequests,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
