import { MerchantRequests } from "@/components/merchants/requests/request-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantRequestsInput } from "@/lib/merchants/requests/contract";
import { listMerchantRequests } from "@/lib/merchants/requests/list-merchant-requests";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantList, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("requests.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_requests.title");

export default async function MerchantRequestsPage(props: MerchantProps) {
  const page = await merchantList(props, ACCESS, "/requests", MerchantRequestsInput, listMerchantRequests);
  if (!page) return <NotFoundScreen />;
  const { home, list, values } = page;
  const { kind, state } = MerchantRequestsInput.parse(values);
  return <MerchantRequests home={home} list={list} values={values} kind={kind} open={state === "open"} />;
}
