import { describe, expect, it } from "vitest";
import { renderMail } from "@/emails/render";
import { CalendarDay, Instant } from "@/lib/platform/api/fields";
import { beginning } from "@/lib/platform/beginning";

describe("a day or an instant of an input", () => {
  it.each(["0001-01-01", "2026-11-29", "9999-12-31"])("is %s", (day) => {
    expect(CalendarDay.safeParse(day).success).toBe(true);
    expect(Instant.safeParse(`${day}T00:00:00Z`).success).toBe(true);
  });

  it.each(["0000-01-01", "0000-12-31", "2026-02-30", "2026-13-01", ""])(
    "is not %j, which Postgres does not accept",
    (day) => {
      expect(CalendarDay.safeParse(day).success).toBe(false);
      expect(Instant.safeParse(`${day}T00:00:00Z`).success).toBe(false);
    },
  );
});

const SHOP = { brand: "Passlane", url: "https://passlane.example" };

describe("the beginning of a text", () => {
  it("ends before a surrogate pair that the limit would split", () => {
    expect(beginning(`${"a".repeat(119)}😀 and more`, 120)).toBe("a".repeat(119));
    expect(beginning(`${"a".repeat(118)}😀 and more`, 120)).toBe(`${"a".repeat(118)}😀`);
    expect(beginning("short", 120)).toBe("short");
  });

  it("is well-formed in the preview of a support mail", async () => {
    const message = `${"a".repeat(119)}😀 is missing.`;
    const props = {
      reference: "msg_1",
      email: "mara@example.com",
      message,
      orderNumber: null,
      userId: null,
      conversationId: "cnv_1",
    };
    const { html } = await renderMail("contact", { ...props, language: "en" }, "en", SHOP);
    expect(html.isWellFormed()).toBe(true);
    expect(html.split("a".repeat(119))[1]).not.toMatch(/^\ufffd/);
  });
});
