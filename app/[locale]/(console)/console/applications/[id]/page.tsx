import { ApplicationRecord } from "@/components/merchants/console/application-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { findConsoleApplication } from "@/lib/merchants/console/queries";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { mayStaff, staff } from "@/lib/staff/rules";

const ACCESS = staff("applications.read");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.applications" }))("title"),
  );

export default async function ConsoleApplicationPage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/applications/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const application = await findConsoleApplication(id);
  if (!application) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  return (
    <ApplicationRecord
      application={application}
      mayDecide={mayStaff(page.viewer.staff.roles, "merchants.decide")}
    />
  );
}
