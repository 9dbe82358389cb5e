import type { ReactNode } from "react";
import { DesktopShell } from "@/components/shell/desktop-shell";
import { MobileShell } from "@/components/shell/mobile-shell";
import { SurfaceFrame } from "@/components/shell/surface-frame";
import { env } from "@/lib/platform/env";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

type Props = Pick<PageProps, "params"> & { children: ReactNode };

/** Selects the shell of the surface. The configuration is read per request, because it is unknown at build time. */
export default async function SurfaceLayout({ params, children }: Props) {
  const { locale, surface, brand } = await pageLocation(params);
  const { SUPPORT_EMAIL, SOCIAL_LINKS } = env();
  const Shell = surface === "mobile" ? MobileShell : DesktopShell;
  return (
    <SurfaceFrame locale={locale} surface={surface}>
      <Shell brand={brand} supportEmail={SUPPORT_EMAIL} social={SOCIAL_LINKS}>
        {children}
      </Shell>
    </SurfaceFrame>
  );
}
