import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleReports } from "@/components/support/console/report-list";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";
import { ConsoleReportsInput } from "@/lib/support/reports/contract";
import { listConsoleReports } from "@/lib/support/reports/list-console-reports";

const { metadata, page } = staffListPage({
  path: "/console/reports",
  title: "console.reports.title",
  access: staff("reports.decide"),
  input: ConsoleReportsInput,
  read: (input, { viewer }) => listConsoleReports(viewer, input),
  screen: ConsoleReports,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
