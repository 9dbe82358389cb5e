import type { ReactNode } from "react";
import SurfaceLayout from "@/app/[locale]/[surface]/layout";
import { MerchantShell } from "@/components/merchants/portal/merchant-shell";
import { getSecurity } from "@/lib/accounts/reauthentication/require-reauthentication";
import { loadConsoleMessages } from "@/lib/platform/i18n/console-messages";
import { consoleLocale } from "@/lib/platform/pages/console";
import { type MerchantProps, merchantMember } from "@/lib/platform/pages/merchant-console";

type Props = Pick<MerchantProps, "params"> & { children: ReactNode };

/** The frame of a merchant's console. Everybody else sees the shop's not-found page in the shop's frame. */
export default async function MerchantLayout({ params, children }: Props) {
  const locale = await consoleLocale(params);
  const viewer = await merchantMember(locale, (await params).handle);
  if (!viewer)
    return <SurfaceLayout params={Promise.resolve({ locale, surface: "desktop" })}>{children}</SurfaceLayout>;
  const { merchant, role, user } = viewer;
  const { has_password: hasPassword } = await getSecurity(user);
  const member = { email: user.email, role, factorActive: user.factor.active, hasPassword };
  return (
    <MerchantShell
      locale={locale}
      merchant={merchant}
      member={member}
      messages={await loadConsoleMessages(locale)}
    >
      {children}
    </MerchantShell>
  );
}
