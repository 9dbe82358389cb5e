import { ConsoleApplications } from "@/components/merchants/console/application-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleApplicationsInput } from "@/lib/merchants/console/contract";
import { listConsoleApplications } from "@/lib/merchants/console/list-console-applications";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "applications",
  path: "/console/applications",
  title: "console.applications.title",
  access: staff("applications.read"),
  input: ConsoleApplicationsInput,
  read: (input) => listConsoleApplications(input),
  screen: ConsoleApplications,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
