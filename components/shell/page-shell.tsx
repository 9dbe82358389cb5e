import type { ReactNode } from "react";
import { SurfaceProvider } from "@/components/ui/surface";
import type { PageLocation } from "@/lib/platform/routing/paths";
import { AttributionTracker } from "./attribution-tracker";
import { DeviceRedirect } from "./device-redirect";
import type { FooterProps } from "./footer-body";
import { MobileBar } from "./mobile-bar";
import { MobileFooter } from "./mobile-footer";
import { MobileHeader } from "./mobile-header";
import { IdlePrefetch, PrefetchBudgetReset } from "./prefetch";
import { ScrollRestoration } from "./scroll-restoration";
import { SiteFooter } from "./site-footer";
import { SiteHeader } from "./site-header";

type Props = PageLocation & FooterProps & { children: ReactNode };

/** The header, footer and navigation of a page by its surface, its location context and the client-side observers. */
export function PageShell({ locale, surface, children, ...footer }: Props) {
  return (
    <SurfaceProvider locale={locale} surface={surface}>
      <DeviceRedirect />
      <ScrollRestoration />
      <PrefetchBudgetReset />
      <AttributionTracker />
      {surface === "mobile" ? (
        <>
          <IdlePrefetch />
          <MobileHeader brand={footer.brand} />
          {children}
          <MobileFooter {...footer} />
          <MobileBar />
        </>
      ) : (
        <>
          <SiteHeader brand={footer.brand} />
          {children}
          <SiteFooter {...footer} />
        </>
      )}
    </SurfaceProvider>
  );
}
