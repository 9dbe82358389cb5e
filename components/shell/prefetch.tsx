"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useRef } from "react";
import { IDLE_PREFETCH_PATHS, renewPrefetchBudget } from "@/components/ui/prefetch-budget";
import { useSurface } from "@/components/ui/surface";
import { whenLoaded } from "@/components/ui/when-idle";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";

/** Prefetches the five named pages once a mobile page is loaded and idle. It does nothing in data saver mode. */
export function IdlePrefetch() {
  const { locale, surface } = useSurface();
  const router = useRouter();
  useEffect(() => {
    if (savesData()) return;
    const prefetchPages = () => {
      const { path: currentPath } = parsePath(location.pathname);
      for (const path of IDLE_PREFETCH_PATHS)
        if (path !== currentPath) router.prefetch(localizedPath(path, { locale, surface }));
    };
    return whenLoaded(prefetchPages);
  }, [locale, surface, router]);
  return null;
}

const savesData = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * After each navigation, including back and forward, the prefetch budget starts again (docs/product.md#24-navigation),
 * and a page without content is loaded as a document: Next 16.4 shows no content when a link is followed during its
 * prefetch and that prefetch fails, for example because another release answers it.
 */
export function NavigationEffects() {
  const address = `${usePathname()}?${useSearchParams()}`;
  const isDocument = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs after each navigation
  useEffect(() => {
    renewPrefetchBudget();
    if (!isDocument.current && !document.querySelector("main")) location.reload();
    isDocument.current = false;
  }, [address]);
  return null;
}
