import { notFound } from "next/navigation";
import { setRequestLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { IdlePrefetch } from "@/components/shell/idle-prefetch";
import { MobileBar } from "@/components/shell/mobile-bar";
import { MobileFooter } from "@/components/shell/mobile-footer";
import { MobileHeader } from "@/components/shell/mobile-header";
import { SurfaceFrame } from "@/components/shell/surface-frame";
import { env } from "@/lib/platform/env";
import { isLocale } from "@/lib/platform/i18n/locales";

/** Read at each request: the configuration is not known when the shop is built. */
const footer = () => {
  const { APP_NAME, SUPPORT_EMAIL, SOCIAL_LINKS } = env();
  return { brand: APP_NAME, supportEmail: SUPPORT_EMAIL, social: SOCIAL_LINKS };
};

type Props = { params: Promise<{ locale: string }>; children: ReactNode };

export default async function MobileLayout({ params, children }: Props) {
  const { locale } = await params;
  if (!isLocale(locale)) notFound();
  setRequestLocale(locale);
  return (
    <SurfaceFrame locale={locale} surface="mobile">
      <IdlePrefetch />
      <MobileHeader brand={env().APP_NAME} />
      {children}
      <MobileFooter {...footer()} />
      <MobileBar />
    </SurfaceFrame>
  );
}
