"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { parsePath } from "@/lib/platform/routing/paths";
import { findRoute } from "@/lib/platform/routing/routes";

const addressNow = () => window.location.pathname + window.location.search;

/**
 * Scrolls to the top on navigation, to the previous position on back and forward, and always to the top on legal
 * pages (docs/product.md#24-navigation). Scrolling within a page and on reload is left to the browser and the router.
 */
export function ScrollRestoration() {
  const pathname = usePathname();
  const kept = useRef({ positions: new Map<string, number>(), pathname: "", goingBack: false });

  useEffect(() => {
    const memory = kept.current;
    const onPop = () => {
      memory.goingBack = window.location.pathname !== memory.pathname;
    };
    const onScroll = () => {
      // On back, the browser scrolls the old page to the new page's position before showing the new page. That
      // position is not recorded.
      if (!memory.goingBack) memory.positions.set(addressNow(), window.scrollY);
    };
    window.addEventListener("popstate", onPop);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      window.removeEventListener("popstate", onPop);
      window.removeEventListener("scroll", onScroll);
    };
  }, []);

  useEffect(() => {
    const memory = kept.current;
    if (memory.pathname === pathname) return;
    const first = memory.pathname === "";
    const back = memory.goingBack;
    memory.pathname = pathname;
    memory.goingBack = false;
    const alwaysTop = findRoute(parsePath(pathname).path)?.top === true;
    // The setting belongs to this history entry and keeps the browser from restoring the position of a legal page.
    window.history.scrollRestoration = alwaysTop ? "manual" : "auto";
    if (back && !alwaysTop) scrollTo(memory.positions.get(addressNow()) ?? 0);
    else if (alwaysTop || (!first && !window.location.hash)) scrollTo(0);
  }, [pathname]);

  return null;
}

const scrollTo = (top: number) => window.scrollTo({ top, behavior: "instant" });
