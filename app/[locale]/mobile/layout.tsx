import { notFound } from "next/navigation";
import { setRequestLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { SurfaceFrame } from "@/components/shell/surface-frame";
import { isLocale } from "@/lib/i18n";

type Props = { params: Promise<{ locale: string }>; children: ReactNode };

export default async function MobileLayout({ params, children }: Props) {
  const { locale } = await params;
  if (!isLocale(locale)) notFound();
  setRequestLocale(locale);
  return (
    <SurfaceFrame locale={locale} surface="mobile">
      {children}
    </SurfaceFrame>
  );
}
