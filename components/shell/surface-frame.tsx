import type { ReactNode } from "react";
import { DeviceWatch } from "@/components/shell/device-watch";
import { PrefetchKeeper } from "@/components/shell/prefetch-keeper";
import { ScrollKeeper } from "@/components/shell/scroll-keeper";
import { SourceKeeper } from "@/components/shell/source-keeper";
import { SurfaceProvider } from "@/components/ui/surface";
import type { PageLocation } from "@/lib/platform/routing/paths";

/** What every page of a surface stands in: where it is, and the small watchers in the browser. */
export function SurfaceFrame({ locale, surface, children }: PageLocation & { children: ReactNode }) {
  return (
    <SurfaceProvider locale={locale} surface={surface}>
      <DeviceWatch />
      <ScrollKeeper />
      <PrefetchKeeper />
      <SourceKeeper />
      {children}
    </SurfaceProvider>
  );
}
