import { MerchantChanges } from "@/components/merchants/changes/change-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantChangesInput } from "@/lib/merchants/changes/contract";
import { listMerchantChanges } from "@/lib/merchants/changes/list-merchant-changes";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantList, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_changes.changes");

export default async function MerchantChangesPage(props: MerchantProps) {
  const page = await merchantList(props, ACCESS, "/changes", MerchantChangesInput, listMerchantChanges);
  if (!page) return <NotFoundScreen />;
  const { home, list, values } = page;
  return <MerchantChanges home={home} list={list} values={values} />;
}
