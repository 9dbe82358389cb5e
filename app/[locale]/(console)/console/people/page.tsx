import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { PeopleScreen } from "@/components/staff/people-screen";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { listStaffMembers } from "@/lib/staff/members/list-staff-members";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("staff.manage");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.people" }))("title"),
  );

export default async function PeoplePage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/people");
  if (!page) return <NotFoundScreen />;
  const { items } = await listStaffMembers();
  return <PeopleScreen members={items} viewerId={page.viewer.userId} />;
}
