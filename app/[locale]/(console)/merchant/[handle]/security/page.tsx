import { redirect } from "next/navigation";
import { EnterScreen } from "@/components/accounts/factor/enter-screen";
import { SecurityScreen } from "@/components/accounts/factor/security-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listSessions } from "@/lib/accounts/devices/list-sessions";
import { merchant } from "@/lib/merchants/rules";
import { queryValues } from "@/lib/platform/pages/console";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";
import { localizedPath, parsePath, safeRedirect } from "@/lib/platform/routing/paths";
import { getStaffSession } from "@/lib/staff/factors/get-staff-session";

const ACCESS = merchant("profile.read");

export const generateMetadata = merchantTitle(ACCESS, "console.security.title");

/** The second factor: its setup, its code, or what can be changed of it. A call that needs it leads here, and it leads back. */
export default async function MerchantSecurityPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { locale, viewer } = page;
  const home = `/merchant/${viewer.merchant.handle}`;
  const target = safeRedirect((await queryValues(props.searchParams)).redirect);
  const path = target && parsePath(target.split("?", 1)[0] ?? "").path;
  const isOwn = path === home || path?.startsWith(`${home}/`);
  const session = await getStaffSession(viewer.user);
  if (session.active && target && isOwn) redirect(target);
  if (session.active) {
    const { items } = await listSessions(viewer.user);
    return <SecurityScreen session={session} sessions={items} />;
  }
  const address = target && isOwn ? target : localizedPath(home, { locale, surface: "desktop" });
  return <EnterScreen enrolled={session.enrolled} target={address} />;
}
