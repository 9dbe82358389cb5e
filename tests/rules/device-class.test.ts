import { afterEach, beforeEach, expect, it, vi } from "vitest";

let width = 1200;
let onResize = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal("window", {
    get innerWidth() {
      return width;
    },
    addEventListener: (_: string, listener: () => void) => {
      onResize = listener;
    },
  });
  vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (X11; Linux x86_64)" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("the device class follows a resize after 250 ms without another one", async () => {
  const { DEVICE_SETTLE_MS, deviceClass } = await import("@/components/shell/device-class");
  expect(DEVICE_SETTLE_MS).toBe(250);
  expect(deviceClass()).toBe("desktop");
  width = 400;
  onResize();
  vi.advanceTimersByTime(200);
  onResize();
  vi.advanceTimersByTime(249);
  expect(deviceClass()).toBe("desktop");
  vi.advanceTimersByTime(1);
  expect(deviceClass()).toBe("mobile");
});
