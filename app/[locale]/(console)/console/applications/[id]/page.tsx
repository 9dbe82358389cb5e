import { ApplicationRecord } from "@/components/merchants/console/application-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { findConsoleApplication } from "@/lib/merchants/console/list-console-applications";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("applications.read"), {
  path: "/console/applications/[id]",
  title: "console.applications.title",
  read: findConsoleApplication,
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleApplicationPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  return (
    <ApplicationRecord
      application={page.found}
      mayDecide={mayStaff(page.viewer.staff.roles, "merchants.decide")}
    />
  );
}
