import { MerchantTabs } from "@/components/merchants/console/merchant-tabs";
import { MerchantSales } from "@/components/merchants/sales/sale-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { findMerchantName, listConsoleSales } from "@/lib/merchants/console/list-console-sales";
import { MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { listFields } from "@/lib/platform/console/filter-spec";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("merchants.read"), {
  path: "/console/merchants/[id]/sales",
  title: "console.merchants.tab.sales",
  read: findMerchantName,
  unknown: "merchant_unknown",
});

const FIELDS = listFields(MerchantSalesInput);

export const generateMetadata = RECORD.metadata;

export default async function ConsoleMerchantSalesPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { id } = await props.params;
  const path = `/console/merchants/${encodeURIComponent(id)}/sales`;
  const { values, list } = await readConsoleList(props, page, path, MerchantSalesInput, (input) =>
    listConsoleSales(id, input, page.locale),
  );
  return (
    <MerchantSales
      path={path}
      title={page.found}
      list={list}
      values={values}
      fields={FIELDS}
      tools={
        <MerchantTabs id={id} current="sales" hasFile={mayStaff(page.viewer.staff.roles, "trade.read")} />
      }
    />
  );
}
