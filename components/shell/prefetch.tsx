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

/** Resets the prefetch budget on every navigation, including back and forward (docs/product.md#24-navigation). */
export function PrefetchBudgetReset() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs after each navigation
  useEffect(renewPrefetchBudget, [pathname]);
  return null;
}

/**
 * Loads the document after a navigation that shows no content: Next 16.4 shows none when a link is followed during its
 * prefetch and that prefetch fails, for example because another release answers it (vercel/next.js, issue 98684).
 */
export function EmptyPageReload() {
  const address = `${usePathname()}?${useSearchParams()}`;
  const isNavigation = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs after each navigation
  useEffect(() => {
    if (isNavigation.current && !document.querySelector("main")) location.reload();
    isNavigation.current = true;
  }, [address]);
  return null;
}
