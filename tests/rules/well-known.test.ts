import { expect, it } from "vitest";
import { securityText } from "@/lib/platform/http/security-text";

it("security.txt names a contact and never expires", () => {
  const now = new Date("2031-02-03T04:05:06.789Z");
  const text = securityText({ origin: "https://shop.test", email: "help@shop.test", now });
  expect(text).toBe(
    "Contact: mailto:help@shop.test\nExpires: 2031-08-02T00:00:00Z\nPreferred-Languages: en, zh-Hans, ja\nCanonical: https://shop.test/.well-known/security.txt\n",
  );
});
