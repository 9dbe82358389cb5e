import { MerchantRecord } from "@/components/merchants/console/merchant-page";
import { isMerchantTab } from "@/components/merchants/console/merchant-tab";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getConsoleMerchant } from "@/lib/merchants/console/get-console-merchant";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { type ConsoleProps, consoleRecord, queryValues } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("merchants.read"), {
  path: "/console/merchants/[id]",
  title: "console.merchants.title",
  read: getConsoleMerchant,
  unknown: "merchant_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleMerchantPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { tab = "" } = await queryValues(props.searchParams);
  return (
    <MerchantRecord
      merchant={page.found}
      tab={isMerchantTab(tab) ? tab : "overview"}
      mayDecide={mayStaff(page.viewer.staff.roles, "merchants.decide")}
      mayDecideNames={mayStaff(page.viewer.staff.roles, "changes.decide")}
    />
  );
}
