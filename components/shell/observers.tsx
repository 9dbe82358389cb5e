"use client";

import { AttributionTracker } from "./attribution-tracker";
import { AwaitedPageHost } from "./awaited-page";
import { DeviceRedirect } from "./device-redirect";
import { NavigationEffects } from "./prefetch";
import { ScrollRestoration } from "./scroll-restoration";

/** What watches every page in the browser: one client component, so that pages name one and not five. */
export function Observers() {
  return (
    <>
      <DeviceRedirect />
      <ScrollRestoration />
      <NavigationEffects />
      <AwaitedPageHost />
      <AttributionTracker />
    </>
  );
}
