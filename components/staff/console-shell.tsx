import type { ReactNode } from "react";
import { ConsoleEntrance } from "@/components/shell/console-entrance";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { StaffFrame } from "@/components/staff/frame";
import { screensFor } from "@/components/staff/screens";
import { SurfaceProvider } from "@/components/ui/surface";
import type { ConsoleMessages } from "@/lib/platform/i18n/console-messages";
import { type Locale, TRANSLATIONS } from "@/lib/platform/i18n/locales";

/** The texts of the shop that the console uses as well. */
export const CONSOLE_SHOP_MESSAGES = [
  "accounts.code",
  "accounts.devices",
  "accounts.field",
  "accounts.missing",
  "accounts.profile.close",
  "accounts.reauthentication",
  "catalog.comparison",
  "catalog.field",
  "catalog.free",
  "catalog.from",
  "catalog.pass_days",
  "catalog.pass_type",
  "catalog.pay_once",
  "catalog.per_day",
  "errors.line_placeholder",
  ...TRANSLATIONS.map((locale) => `errors.line_script_${locale}`),
  "errors.network",
  "errors.price_needs_approval",
  "errors.price_raised",
  "errors.price_too_many",
  "errors.price_too_soon",
  "payments.refund",
  "ui.appearance",
];

type Props = {
  locale: Locale;
  brand: string;
  member: { email: string; roles: readonly string[]; active: boolean };
  messages: ConsoleMessages;
  children: ReactNode;
};

/** What surrounds the pages of the staff console. Before the second factor there is only the entrance, without the frame. */
export function ConsoleShell({ locale, brand, member, messages, children }: Props) {
  const { email, roles, active } = member;
  return (
    <SurfaceProvider locale={locale} surface="desktop">
      <ScopedMessages branches={CONSOLE_SHOP_MESSAGES} more={messages}>
        {active ? (
          <StaffFrame brand={brand} email={email} roles={roles} screens={screensFor(roles)}>
            {children}
          </StaffFrame>
        ) : (
          <ConsoleEntrance brand={brand}>{children}</ConsoleEntrance>
        )}
      </ScopedMessages>
    </SurfaceProvider>
  );
}
