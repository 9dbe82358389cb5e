import { isMobileAgent, MOBILE_MAX_WIDTH, type Surface } from "@/lib/platform/routing/paths";

/** A resize counts for the device class after this many milliseconds without another one (docs/product.md#10-constants). */
export const DEVICE_SETTLE_MS = 250;

/** A phone in landscape is still mobile. The server decides by user agent, so both the agent and the width count. */
export function measureDeviceClass(): Surface | undefined {
  if (!window.innerWidth) return undefined; // The page has no layout because it is prerendered in the background.
  return window.innerWidth <= MOBILE_MAX_WIDTH || isMobileAgent(navigator.userAgent) ? "mobile" : "desktop";
}

let current: Surface | undefined;
let watching = false;

/** The device class of this window: that of the last resize that settled. */
export function deviceClass(): Surface | undefined {
  if (!watching) {
    watching = true;
    current = measureDeviceClass();
    let timer: ReturnType<typeof setTimeout>;
    window.addEventListener("resize", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        current = measureDeviceClass();
      }, DEVICE_SETTLE_MS);
    });
  }
  current ??= measureDeviceClass();
  return current;
}
