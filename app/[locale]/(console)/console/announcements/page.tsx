import { AnnouncementsScreen } from "@/components/notifications/console/announcements-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listAnnouncements } from "@/lib/notifications/announcements/list-announcements";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("announcements.manage");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.announcements" }))("title"),
  );

export default async function AnnouncementsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/announcements");
  if (!page) return <NotFoundScreen />;
  const { items } = await listAnnouncements();
  return <AnnouncementsScreen announcements={items} />;
}
