"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { parsePath } from "@/lib/platform/routing/paths";
import { routeOf } from "@/lib/platform/routing/routes";

const addressNow = () => window.location.pathname + window.location.search;

/**
 * Top of the page on navigation, the left position on back and forward, always the top on legal pages (docs/product.md#24-navigation). Within one page, and on reload, the browser and the router keep what they do.
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
      // Between going back and showing the page, the browser scrolls the old page to the new one's place.
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
    const alwaysTop = routeOf(parsePath(pathname).path)?.top === true;
    // Kept with this entry of the history: the browser does not scroll a legal page to its old place later.
    window.history.scrollRestoration = alwaysTop ? "manual" : "auto";
    if (back && !alwaysTop) scrollTo(memory.positions.get(addressNow()) ?? 0);
    else if (alwaysTop || (!first && !window.location.hash)) scrollTo(0);
  }, [pathname]);

  return null;
}

const scrollTo = (top: number) => window.scrollTo({ top, behavior: "instant" });
