import { ConsoleCustomers } from "@/components/accounts/console/customer-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { ConsoleCustomersInput } from "@/lib/accounts/console/contract";
import { listConsoleCustomers } from "@/lib/accounts/console/list-console-customers";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("customers.read");
const PATH = "/console/customers";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.customers" }))("title"),
  );

export default async function ConsoleCustomersPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleCustomersInput, (input) =>
    listConsoleCustomers(input),
  );
  const { items: views } = await listViews(page.viewer, "customers");
  const exports = mayStaff(page.viewer.staff.roles, "exports.persons");
  return (
    <ConsoleCustomers
      list={list}
      values={values}
      tools={<ListTools list="customers" values={values} views={views} exports={exports} />}
    />
  );
}
