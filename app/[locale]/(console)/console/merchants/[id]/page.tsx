import { MerchantRecord } from "@/components/merchants/console/merchant-page";
import { isMerchantTab } from "@/components/merchants/console/merchant-tab";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getConsoleMerchant } from "@/lib/merchants/console/get-console-merchant";
import { getConsoleTradeFile } from "@/lib/merchants/console/trade-files";
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
  const { roles } = page.viewer.staff;
  const mayReadFile = mayStaff(roles, "trade.read");
  const { merchant_id } = page.found;
  return (
    <MerchantRecord
      merchant={page.found}
      tab={isMerchantTab(tab) ? tab : "overview"}
      mayDecide={mayStaff(roles, "merchants.decide")}
      mayDecideNames={mayStaff(roles, "changes.decide")}
      tradeFile={tab === "trade" && mayReadFile ? await getConsoleTradeFile(merchant_id, page.locale) : null}
      mayReadFile={mayReadFile}
      mayCheckFile={mayStaff(roles, "trade.check")}
      mayOpenDocuments={mayStaff(roles, "trade.documents")}
    />
  );
}
