"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";
import type { Place } from "@/lib/platform/routing/paths";

const SurfaceContext = createContext<Place>({ locale: DEFAULT_LOCALE, surface: "desktop" });

/** Language and surface of the page, from its path; links and small parts in the browser read them. */
export function SurfaceProvider({ locale, surface, children }: Place & { children: ReactNode }) {
  const place = useMemo(() => ({ locale, surface }), [locale, surface]);
  return <SurfaceContext value={place}>{children}</SurfaceContext>;
}

export function useSurface(): Place {
  return useContext(SurfaceContext);
}
