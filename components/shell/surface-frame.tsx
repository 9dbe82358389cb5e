import type { ReactNode } from "react";
import { SurfaceProvider } from "@/components/ui/surface";
import type { PageLocation } from "@/lib/platform/routing/paths";
import { AttributionTracker } from "./attribution-tracker";
import { DeviceRedirect } from "./device-redirect";
import { PrefetchBudgetReset } from "./prefetch-budget-reset";
import { ScrollRestoration } from "./scroll-restoration";

/** The frame of every page of a surface: the page location context and the client-side observers. */
export function SurfaceFrame({ locale, surface, children }: PageLocation & { children: ReactNode }) {
  return (
    <SurfaceProvider locale={locale} surface={surface}>
      <DeviceRedirect />
      <ScrollRestoration />
      <PrefetchBudgetReset />
      <AttributionTracker />
      {children}
    </SurfaceProvider>
  );
}
