import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantRecord } from "@/components/staff/merchants/merchant-page";
import { isMerchantTab } from "@/components/staff/merchants/tabs";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage, queryValues } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { getConsoleMerchant } from "@/lib/staff/merchants/queries";
import { mayStaff, staff } from "@/lib/staff/rules";

const ACCESS = staff("merchants.read");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchants" }))("title"),
  );

export default async function ConsoleMerchantPage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/merchants/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const found = await getConsoleMerchant(id).catch((error: unknown) => {
    if (!isShopError(error, "merchant_unknown")) throw error;
  });
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { tab = "" } = await queryValues(props.searchParams);
  return (
    <MerchantRecord
      merchant={found}
      tab={isMerchantTab(tab) ? tab : "overview"}
      mayDecide={mayStaff(page.viewer.staff.roles, "merchants.decide")}
    />
  );
}
