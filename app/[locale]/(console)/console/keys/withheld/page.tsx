import { WithheldScreen } from "@/components/delivery/console/withheld-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listConsoleWithheld } from "@/lib/delivery/withheld/queries";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { mayStaff, staff } from "@/lib/staff/rules";

const ACCESS = staff("products.read");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.withheld" }))("title"),
  );

export default async function ConsoleWithheldPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/keys/withheld");
  if (!page) return <NotFoundScreen />;
  const { items } = await listConsoleWithheld(page.locale);
  return <WithheldScreen plans={items} mayDecide={mayStaff(page.viewer.staff.roles, "stock.manage")} />;
}
