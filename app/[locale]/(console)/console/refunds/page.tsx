import { ConsoleRefunds } from "@/components/orders/console/refund-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { listConsoleRefunds } from "@/lib/orders/console/list-console-refunds";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("refunds.decide");
const PATH = "/console/refunds";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.refunds" }))("title"),
  );

export default async function ConsoleRefundsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list: read } = await readConsoleList(
    props,
    page,
    PATH,
    ConsoleRefundsInput,
    async (input) => ({ state: input.state, list: await listConsoleRefunds(input, page.locale) }),
  );
  const { items: views } = await listViews(page.viewer, "refunds");
  const exports = mayStaff(page.viewer.staff.roles, "exports.persons");
  return (
    // The key forgets selected rows of another part.
    <ConsoleRefunds
      key={read.state}
      list={read.list}
      values={values}
      state={read.state}
      tools={<ListTools list="refunds" values={values} views={views} exports={exports} />}
    />
  );
}
