import { expect, it } from "vitest";
import { instant } from "@/lib/platform/instant";

it("an instant of the database becomes ISO 8601 in UTC, and null stays null", () => {
  expect(instant("2026-11-20 10:30:00.123456+01")).toBe("2026-11-20T09:30:00.123Z");
  expect(instant("2026-11-20T09:30:00Z")).toBe("2026-11-20T09:30:00.000Z");
  expect(instant(null)).toBeNull();
});
