import { WithheldScreen } from "@/components/delivery/console/withheld-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleWithheldInput } from "@/lib/delivery/console/contract-withheld";
import { listConsoleWithheld } from "@/lib/delivery/console/list-console-withheld";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("products.read");
const PATH = "/console/keys/withheld";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.withheld" }))("title"),
  );

export default async function ConsoleWithheldPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleWithheldInput, (input) =>
    listConsoleWithheld(input, page.locale),
  );
  const mayDecide = mayStaff(page.viewer.staff.roles, "stock.manage");
  return <WithheldScreen list={list} values={values} mayDecide={mayDecide} />;
}
