"use client";

import { useEffect } from "react";
import { useSurface } from "@/components/ui/surface";
import {
  DESKTOP_COOKIE,
  parsePath,
  type Surface,
  toDesktopPath,
  toMobilePath,
} from "@/lib/platform/routing/paths";
import { findRoute } from "@/lib/platform/routing/routes";
import { deviceClass, measureDeviceClass } from "./device-class";

/** The page moves after the device class has settled (device-class.ts). */
const RESIZE_SETTLE_MS = 300;

/** The last device class seen. It starts before hydration, so that an early resize is detected. */
let device = typeof window === "undefined" ? undefined : deviceClass();

/**
 * Keeps page and device class consistent (docs/product.md#24-navigation). A narrow window that opens a desktop path
 * moves to the mobile version. A resize that changes the device class moves in either direction. On any failure the
 * page stays.
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
  if (surface === "desktop" && document.cookie.includes(DESKTOP_COOKIE)) return undefined; // The user requested the desktop version.
  if (surface === "desktop" && measureDeviceClass() === "mobile") {
    moveTo("mobile");
    return undefined;
  }
  device ??= deviceClass() ?? surface;
  let timer: ReturnType<typeof setTimeout>;
  const settle = (current: Surface | undefined) => {
    if (!current || current === device) return;
    device = current;
    if (current !== surface) moveTo(current);
  };
  const onResize = () => {
    clearTimeout(timer);
    timer = setTimeout(() => settle(deviceClass()), RESIZE_SETTLE_MS);
  };
  settle(measureDeviceClass()); // A resize before hydration has no listener.
  window.addEventListener("resize", onResize);
  return () => {
    clearTimeout(timer);
    window.removeEventListener("resize", onResize);
  };
}

function moveTo(surface: Surface): void {
  const { pathname, search, hash } = window.location;
  if (findRoute(parsePath(pathname).path)?.single) return;
  const address = pathname + search + hash;
  const target = surface === "mobile" ? toMobilePath(address) : toDesktopPath(address);
  if (target !== address) window.location.replace(target);
}
