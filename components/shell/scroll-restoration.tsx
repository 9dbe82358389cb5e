"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { parsePath } from "@/lib/platform/routing/paths";
import { findRoute } from "@/lib/platform/routing/routes";

const currentUrl = () => window.location.pathname + window.location.search;

/**
 * Scrolls to the top on navigation, to the previous position on back and forward, and always to the top on legal
 * pages (docs/product.md#24-navigation). Scrolling within a page and on reload is left to the browser and the router.
 */
export function ScrollRestoration() {
  const pathname = usePathname();
  const stateRef = useRef({ positions: new Map<string, number>(), pathname: "", goingBack: false });

  useEffect(() => {
    const state = stateRef.current;
    const onPop = () => {
      state.goingBack = window.location.pathname !== state.pathname;
    };
    const onScroll = () => {
      // On back, the browser scrolls the old page to the new page's position before showing the new page. That
      // position is not recorded.
      if (!state.goingBack) state.positions.set(currentUrl(), window.scrollY);
    };
    window.addEventListener("popstate", onPop);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      window.removeEventListener("popstate", onPop);
      window.removeEventListener("scroll", onScroll);
    };
  }, []);

  useEffect(() => {
    const state = stateRef.current;
    if (state.pathname === pathname) return;
    const first = state.pathname === "";
    const back = state.goingBack;
    state.pathname = pathname;
    state.goingBack = false;
    const alwaysTop = findRoute(parsePath(pathname).path)?.top === true;
    // The setting belongs to this history entry and keeps the browser from restoring the position of a legal page.
    window.history.scrollRestoration = alwaysTop ? "manual" : "auto";
    if (back && !alwaysTop) scrollTo(state.positions.get(currentUrl()) ?? 0);
    else if (alwaysTop || (!first && !window.location.hash)) scrollTo(0);
  }, [pathname]);

  return null;
}

const scrollTo = (top: number) => window.scrollTo({ top, behavior: "instant" });
