import { CommissionScreen } from "@/components/merchants/console/commission-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCommissionRules } from "@/lib/merchants/console/list-commission-rules";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("commission.read");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.commission" }))("title"),
  );

export default async function ConsoleCommissionPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/commission");
  if (!page) return <NotFoundScreen />;
  const mayAdd = mayStaff(page.viewer.staff.roles, "commission.write");
  return <CommissionScreen list={await listCommissionRules()} mayAdd={mayAdd} />;
}
