import { notFound } from "next/navigation";
import { setRequestLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { MobileBar } from "@/components/shell/mobile-bar";
import { MobileFooter } from "@/components/shell/mobile-footer";
import { MobileTop } from "@/components/shell/mobile-top";
import { SurfaceFrame } from "@/components/shell/surface-frame";
import { env } from "@/lib/env";
import { isLocale } from "@/lib/i18n";

type Props = { params: Promise<{ locale: string }>; children: ReactNode };

export default async function MobileLayout({ params, children }: Props) {
  const { locale } = await params;
  if (!isLocale(locale)) notFound();
  setRequestLocale(locale);
  return (
    <SurfaceFrame locale={locale} surface="mobile">
      <MobileTop brand={env().APP_NAME} />
      {children}
      <MobileFooter brand={env().APP_NAME} />
      <MobileBar />
    </SurfaceFrame>
  );
}
