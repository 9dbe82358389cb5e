import type { ReactNode } from "react";
import { ReauthenticationProvider } from "@/components/accounts/reauthentication/reauthentication-provider";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { CONSOLE_SHOP_MESSAGES } from "@/components/staff/console-shell";
import { SurfaceProvider } from "@/components/ui/surface";
import type { MerchantRole } from "@/lib/merchants/rules";
import type { ConsoleMessages } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import { MerchantFrame } from "./merchant-frame";

type Props = {
  locale: Locale;
  merchant: { handle: string; name: string };
  member: { email: string; role: MerchantRole; factorActive: boolean; hasPassword: boolean };
  messages: ConsoleMessages;
  children: ReactNode;
};

/** What surrounds the pages of a merchant's console. */
export function MerchantShell({ locale, merchant, member, messages, children }: Props) {
  const { email, role, factorActive, hasPassword } = member;
  return (
    <SurfaceProvider locale={locale} surface="desktop">
      <ScopedMessages branches={CONSOLE_SHOP_MESSAGES} more={messages}>
        <ReauthenticationProvider
          email={email}
          hasPassword={hasPassword}
          staffMode={factorActive}
          factorPath={localizedPath(`/merchant/${merchant.handle}/security`, { locale, surface: "desktop" })}
        >
          <MerchantFrame {...merchant} email={email} role={role}>
            {children}
          </MerchantFrame>
        </ReauthenticationProvider>
      </ScopedMessages>
    </SurfaceProvider>
  );
}
