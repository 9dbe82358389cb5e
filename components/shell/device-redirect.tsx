"use client";

import { useEffect } from "react";
import { useSurface } from "@/components/ui/surface";
import {
  DESKTOP_COOKIE,
  isMobileAgent,
  MOBILE_MAX_WIDTH,
  type Surface,
  toDesktopPath,
  toMobilePath,
} from "@/lib/platform/routing/paths";

const SETTLE_MS = 300;

/** What the window was when this script came, then what it was last seen to be: a resize before hydration counts. */
let device = typeof window === "undefined" ? undefined : deviceClass();

/**
 * Keeps page and device together (docs/product.md#24-navigation): a narrow window that opens a desktop path moves to the
 * mobile twin; a resize that changes the device class moves either way. Whatever fails here, the page stays.
 */
export function DeviceRedirect() {
  const { surface } = useSurface();
  useEffect(() => {
    try {
      return watch(surface);
    } catch {
      return undefined;
    }
  }, [surface]);
  return null;
}

function watch(surface: Surface): (() => void) | undefined {
  if (surface === "desktop" && document.cookie.includes(DESKTOP_COOKIE)) return undefined; // as asked for
  if (surface === "desktop" && deviceClass() === "mobile") {
    moveTo("mobile");
    return undefined;
  }
  device ??= deviceClass() ?? surface;
  let timer: ReturnType<typeof setTimeout>;
  const settle = () => {
    const now = deviceClass();
    if (!now || now === device) return;
    device = now;
    if (now !== surface) moveTo(now);
  };
  const onResize = () => {
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MS);
  };
  settle();
  window.addEventListener("resize", onResize);
  return () => {
    clearTimeout(timer);
    window.removeEventListener("resize", onResize);
  };
}

/** A phone held sideways is still a phone: the server would send it back, so the agent counts as well as the width. */
function deviceClass(): Surface | undefined {
  if (!window.innerWidth) return undefined; // not laid out (prerendered in the background)
  return window.innerWidth <= MOBILE_MAX_WIDTH || isMobileAgent(navigator.userAgent) ? "mobile" : "desktop";
}

function moveTo(surface: Surface): void {
  const { pathname, search, hash } = window.location;
  const address = pathname + search + hash;
  const twin = surface === "mobile" ? toMobilePath(address) : toDesktopPath(address);
  if (twin !== address) window.location.replace(twin);
}
