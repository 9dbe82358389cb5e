import { SecurityScreen } from "@/components/accounts/factor/security-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listSessions } from "@/lib/accounts/devices/list-sessions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { getStaffSession } from "@/lib/staff/factors/get-staff-session";
import { anyStaff } from "@/lib/staff/rules";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, anyStaff, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.security" }))("title"),
  );

export default async function SecurityPage(props: ConsoleProps) {
  const page = await consolePage(props, anyStaff, "/console/security");
  if (!page) return <NotFoundScreen />;
  const [session, sessions] = [await getStaffSession(page.viewer), await listSessions(page.viewer)];
  return <SecurityScreen session={session} sessions={sessions.items} />;
}
