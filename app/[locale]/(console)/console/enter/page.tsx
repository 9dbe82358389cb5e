import { redirect } from "next/navigation";
import { EnterScreen } from "@/components/accounts/factor/enter-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import {
  CONSOLE_ENTRANCE,
  type ConsoleProps,
  consoleMetadata,
  consolePage,
  queryValues,
} from "@/lib/platform/pages/console";
import { localizedPath, parsePath, safeRedirect } from "@/lib/platform/routing/paths";
import { findConsole } from "@/lib/platform/routing/routes";
import { getStaffSession } from "@/lib/staff/factors/get-staff-session";
import { staffMember } from "@/lib/staff/rules";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, staffMember, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.enter" }))("title"),
  );

/** The second factor. In staff mode it leads on. */
export default async function EnterPage(props: ConsoleProps) {
  const page = await consolePage(props, staffMember, CONSOLE_ENTRANCE);
  if (!page) return <NotFoundScreen />;
  const target = safeRedirect((await queryValues(props.searchParams)).redirect);
  const isConsole = target && findConsole(parsePath(target.split("?", 1)[0]!).path);
  const address = isConsole ? target : localizedPath("/console", { locale: page.locale, surface: "desktop" });
  const session = await getStaffSession(page.viewer);
  if (session.active) redirect(address);
  return <EnterScreen enrolled={session.enrolled} target={address} />;
}
