import { redirect } from "next/navigation";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { screensFor } from "@/components/staff/screens";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { localizedPath } from "@/lib/platform/routing/paths";
import { anyStaff } from "@/lib/staff/rules";

export const generateMetadata = (props: ConsoleProps) => consoleMetadata(props, anyStaff, async () => "");

/** The console's address leads to the first screen that the staff member may open. */
export default async function ConsoleStart(props: ConsoleProps) {
  const page = await consolePage(props, anyStaff, "/console");
  if (!page) return <NotFoundScreen />;
  const [first] = screensFor(page.viewer.staff.roles);
  redirect(localizedPath(first!.path, { locale: page.locale, surface: "desktop" }));
}
