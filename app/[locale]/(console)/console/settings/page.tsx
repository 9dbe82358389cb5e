import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { SettingsScreen } from "@/components/staff/shop/settings-screen";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";
import { getShopState } from "@/lib/staff/shop/get-shop-state";

const ACCESS = staff("shop.manage");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.settings" }))("title"),
  );

export default async function ConsoleSettingsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/settings");
  if (!page) return <NotFoundScreen />;
  return <SettingsScreen shop={await getShopState()} />;
}
