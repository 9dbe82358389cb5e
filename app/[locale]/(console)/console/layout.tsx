import type { ReactNode } from "react";
import SurfaceLayout from "@/app/[locale]/[surface]/layout";
import { ReauthenticationProvider } from "@/components/accounts/reauthentication/reauthentication-provider";
import { UsualReasons } from "@/components/console/reason-area";
import { ConsoleShell } from "@/components/staff/console-shell";
import { getSecurity } from "@/lib/accounts/reauthentication/require-reauthentication";
import { env } from "@/lib/platform/env";
import { loadConsoleMessages, loadUsualReasons } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleLocale, consoleViewer } from "@/lib/platform/pages/console";

type Props = Pick<ConsoleProps, "params"> & { children: ReactNode };

/** The frame of the staff console. Everybody else sees the shop's not-found page in the shop's frame. */
export default async function ConsoleLayout({ params, children }: Props) {
  const locale = await consoleLocale(params);
  const viewer = await consoleViewer(locale);
  if (!viewer)
    return <SurfaceLayout params={Promise.resolve({ locale, surface: "desktop" })}>{children}</SurfaceLayout>;
  const { has_password: hasPassword } = await getSecurity(viewer);
  const { email, staff } = viewer;
  const { roles, active } = staff;
  return (
    <ConsoleShell
      locale={locale}
      brand={env().APP_NAME}
      member={{ email, roles, active }}
      messages={await loadConsoleMessages(locale)}
    >
      <ReauthenticationProvider email={email} hasPassword={hasPassword} staffMode={active}>
        <UsualReasons texts={await loadUsualReasons()}>{children}</UsualReasons>
      </ReauthenticationProvider>
    </ConsoleShell>
  );
}
