"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";
import type { PageLocation } from "@/lib/platform/routing/paths";

const SurfaceContext = createContext<PageLocation>({ locale: DEFAULT_LOCALE, surface: "desktop" });

/** Provides the page's language and surface, derived from its path, to links and client components. */
export function SurfaceProvider({ locale, surface, children }: PageLocation & { children: ReactNode }) {
  const location = useMemo(() => ({ locale, surface }), [locale, surface]);
  return <SurfaceContext value={location}>{children}</SurfaceContext>;
}

export function useSurface(): PageLocation {
  return useContext(SurfaceContext);
}

/**
 * Renders `last` after the children. In the router's copy of the page, which follows the markup, it comes before them:
 * the two are within 32 kB of each other, and gzip sends the second as a reference to the first.
 */
export function Ending({ last, children }: { last: ReactNode; children: ReactNode }) {
  return (
    <>
      {children}
      {last}
    </>
  );
}
