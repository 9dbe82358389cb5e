import { expect, it } from "vitest";
import { deviceName } from "@/lib/platform/auth/device-name";

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Microsoft Edge, Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
    "Chrome, iOS",
  ],
  ["curl/8.14.1", "curl"],
  ["x".repeat(300), "x".repeat(60)],
  ["", "unknown"],
  [null, "unknown"],
])("the device of %j is %j", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
