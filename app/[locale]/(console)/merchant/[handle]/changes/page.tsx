import { MerchantChanges } from "@/components/merchants/changes/change-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantChangesInput } from "@/lib/merchants/changes/contract";
import { listMerchantChanges } from "@/lib/merchants/changes/list-merchant-changes";
import { merchant } from "@/lib/merchants/rules";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/changes",
  title: "console.merchant_changes.changes",
  access: merchant("products.read"),
  input: MerchantChangesInput,
  read: listMerchantChanges,
  screen: MerchantChanges,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
