import { describe, expect, it } from "vitest";
import { addDays, giftSendTime, isGiftDay, zonedDay } from "@/lib/orders/gifts/rules";
import { securityHeaders } from "@/lib/platform/http/security-headers";
import { pageKey } from "@/lib/platform/page-cache/key";
import { hideSecrets } from "@/lib/platform/routing/hide-secrets";

const NOW = new Date("2026-11-24T16:30:00Z"); // already 25 November in Tokyo
const time = (day: string, timeZone: string) => giftSendTime(day, NOW, timeZone).toISOString();

describe("the day of a gift", () => {
  it("is today or up to 90 days ahead in the giver's time zone", () => {
    expect(zonedDay(NOW, "Asia/Tokyo")).toBe("2026-11-25");
    expect(isGiftDay("2026-11-24", NOW, "America/New_York")).toBe(true);
    expect(isGiftDay("2026-11-24", NOW, "Asia/Tokyo")).toBe(false);
    expect(isGiftDay(addDays("2026-11-25", 90), NOW, "Asia/Tokyo")).toBe(true);
    expect(isGiftDay(addDays("2026-11-25", 91), NOW, "Asia/Tokyo")).toBe(false);
  });

  it("starts the email at once today, else at eight in the giver's morning, also across a change of the clocks", () => {
    expect(time("2026-11-24", "America/New_York")).toBe(NOW.toISOString());
    expect(time("2026-11-26", "Asia/Tokyo")).toBe("2026-11-25T23:00:00.000Z");
    expect(time("2026-12-24", "Europe/Berlin")).toBe("2026-12-24T07:00:00.000Z");
    const march = (day: string) => giftSendTime(day, NOW, "Europe/Berlin").toISOString();
    expect(march("2027-03-28")).toBe("2027-03-28T06:00:00.000Z"); // summer time begins on this day
  });
});

describe("the address of a gift", () => {
  const headers = (path: string) =>
    securityHeaders(path, { nonce: "n0nce", stripe: false, dev: false, https: true });

  it.each(["/gift/abc_-1", "/zh/gift/abc", "/ja/mobile/gift/abc"])(
    "a gift's page is neither cached nor sent as a referrer: %s",
    (path) => {
      expect(headers(path)).toMatchObject({
        "Cache-Control": "private, no-store",
        "Referrer-Policy": "no-referrer",
      });
      expect(headers(path)["Content-Security-Policy"]).toContain("'nonce-n0nce'");
      expect(pageKey(path, "")).toBeNull();
    },
  );

  it("is left out of logs and visits", () => {
    expect(hideSecrets("/zh/mobile/gift/abc_-1")).toBe("/zh/mobile/gift");
    expect(hideSecrets("/product/gift")).toBe("/product/gift");
  });
});
