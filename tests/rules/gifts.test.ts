import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepGiftDraft, keepGiftForAgain, readGiftDraft } from "@/components/orders/gifts/gift-draft";
import type { GiftView } from "@/lib/orders/gifts/contract";
import { giftHistory, giftSendTime, isGiftDay } from "@/lib/orders/gifts/rules";
import { foldGiverName, isGiverName } from "@/lib/orders/gifts/rules-name";
import { orderBadge } from "@/lib/orders/rules";
import { isRenderedPerRequest, securityHeaders } from "@/lib/platform/http/security-headers";
import { hideSecrets } from "@/lib/platform/routing/hide-secrets";
import { addDays, zonedDay } from "@/lib/platform/zoned-day";

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

  it("sends the email immediately today, else at eight in the giver's morning, even across a clock change", () => {
    expect(time("2026-11-24", "America/New_York")).toBe(NOW.toISOString());
    expect(time("2026-11-26", "Asia/Tokyo")).toBe("2026-11-25T23:00:00.000Z");
    expect(time("2026-12-24", "Europe/Berlin")).toBe("2026-12-24T07:00:00.000Z");
    const march = (day: string) => giftSendTime(day, NOW, "Europe/Berlin").toISOString();
    expect(march("2027-03-28")).toBe("2027-03-28T06:00:00.000Z"); // summer time begins on this day
  });
});

describe("what an order's badge says", () => {
  const gift = { state: "sent", email_failed: false } as const;
  const badge = (input: Partial<Parameters<typeof orderBadge>[0]>) =>
    orderBadge({ status: "shipped", refunds: [], gift: null, order_products: [], ...input });

  it("is the gift's state once the codes are delivered, and nothing when it returned", () => {
    expect(badge({})).toBe("shipped");
    expect(badge({ gift: { ...gift, state: "scheduled" } })).toBe("gift_scheduled");
    expect(badge({ gift })).toBe("gift_sent");
    expect(badge({ gift: { ...gift, email_failed: true } })).toBe("gift_failed");
    expect(badge({ status: "completed", gift: { ...gift, state: "claimed" } })).toBe("gift_claimed");
    expect(badge({ gift: { ...gift, state: "returned" } })).toBe("shipped");
    expect(badge({ status: "pending", gift: { ...gift, state: "scheduled" } })).toBe("pending");
  });

  it("is a pre-order while all of the passes wait for their release", () => {
    const [preOrder, stock] = [{ pre_order: true }, { pre_order: false }];
    expect(badge({ status: "processing", order_products: [preOrder, preOrder] })).toBe("pre_ordered");
    expect(badge({ status: "processing", order_products: [preOrder, stock] })).toBe("processing");
    expect(badge({ status: "processing", order_products: [stock] })).toBe("processing");
    expect(badge({ order_products: [preOrder] })).toBe("shipped");
  });

  it("is one refund state, in progress until all of it is paid out", () => {
    const refunded = { status: "refunded", gift } as const;
    expect(badge({ ...refunded, refunds: [{ step: "done" }, { step: "submitted" }] })).toBe("refunding");
    expect(badge({ ...refunded, refunds: [{ step: "failed" }] })).toBe("refunding");
    expect(badge({ ...refunded, refunds: [{ step: "done" }] })).toBe("refunded");
    expect(badge(refunded)).toBe("refunded"); // by a lost dispute
    expect(badge({ refunds: [{ step: "submitted" }] })).toBe("shipped");
  });

  it("follows sending, claim and return in the history", () => {
    const [sent_at, claimed_at] = ["2026-11-24T08:00:00.000Z", "2026-11-25T08:00:00.000Z"];
    const base = { email_failed: false, sent_at, claimed_at, returned_at: null };
    expect(giftHistory(base)).toEqual([
      { event: "gift_sent", at: sent_at },
      { event: "gift_claimed", at: claimed_at },
    ]);
    expect(giftHistory({ ...base, email_failed: true, claimed_at: null })).toEqual([]);
    expect(giftHistory({ ...base, claimed_at: null, returned_at: claimed_at })[1]!.event).toBe(
      "gift_returned",
    );
  });
});

describe("the name of a giver", () => {
  it.each([
    "Ann",
    "Ann O’Brien-Lee",
    "Jean-Luc d'Arc",
    "José Ñúñez",
    "Łukasz",
    "Анна Иванова",
    "Γιώργος",
    "田中 花子",
    "たなか はなこ",
    "スティーブ",
    "佐々木 ゆり",
    "王小明",
    "김 철수",
    "محمد علي",
    "דנה לוי",
    "สมชาย",
    "राधिका",
    "Ａｎｎ", // full width, stored as plain letters
    "Ann\u2010Marie",
    "x".repeat(40),
  ])("may be %s", (name) => {
    expect(isGiverName(foldGiverName(name))).toBe(true);
  });

  it.each([
    ["an address", "evil.example"],
    ["an address with a full-width dot", "evil．example"],
    ["an ideographic full stop", "悪。例"],
    ["a scheme", "https://evil"],
    ["an email address", "ann@evil"],
    ["a number", "Call 0800"],
    ["Arabic-Indic digits", "علي ٤٥"],
    ["a circled number", "Ann ①"],
    ["Latin with a Cyrillic letter", "Pаypal"],
    ["Latin with a Greek letter", "Αnn"],
    ["Latin beside Han", "Ann 田中"],
    ["a zero-width space", "An\u200Bn"],
    ["a zero-width joiner", "An\u200Dn"],
    ["a right-to-left override", "Ann\u202Eelpmaxe"],
    ["an isolate", "\u2067Ann\u2069"],
    ["a line break", "Ann\nSubject"],
    ["a tab", "Ann\tLee"],
    ["a non-breaking space of another width alone", "\u3000"],
    ["marks without a letter of their own", "A\u0315\u0347n\u0338n"],
    ["markup", "<b>Ann</b>"],
    ["a placeholder", "{name}"],
    ["a middle dot", "ジョン・スミス"],
    ["an emoji", "Ann 🎁"],
    ["a tag character", "Ann\u{E0041}"],
    ["a hyphen at the end", "Ann-"],
    ["an apostrophe at the beginning", "'Ann"],
    ["two hyphens", "Ann--Lee"],
    ["nothing", ""],
    ["more than 40 letters", "x".repeat(41)],
    ["letters that grow beyond 40", "ﬄ".repeat(15)],
  ])("may not hold %s", (_, name) => {
    expect(isGiverName(foldGiverName(name))).toBe(false);
  });
});

describe("an unsaved gift", () => {
  const draft = { recipient: "friend@example.com", day: null, message: "Hello", from: "Ann" };
  const passes = { gift: null, order_products: [{ vip_id: 7 }] };
  const gift: GiftView = {
    state: "scheduled",
    recipient_email: draft.recipient,
    deliver_on: "2026-11-25",
    due: true,
    message: draft.message,
    from_name: draft.from,
    sent_at: null,
    email_failed: false,
    claim_until: null,
    claimed_at: null,
    returned_at: null,
    can_change: true,
    can_resend: false,
  };
  beforeEach(() => {
    const stored = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("is kept in the tab for its order only", () => {
    keepGiftDraft("ord_1", draft);
    expect(readGiftDraft("ord_1", passes)).toEqual({ given: true, draft });
    expect(readGiftDraft("ord_2", passes)).toBeNull();
    keepGiftDraft("ord_1", null);
    expect(readGiftDraft("ord_1", passes)).toBeNull();
    vi.unstubAllGlobals();
    keepGiftDraft("ord_1", draft); // blocked storage
    expect(readGiftDraft("ord_1", passes)).toBeNull();
  });

  it("goes on to one new order of the same passes", () => {
    keepGiftForAgain({ ...passes, gift }, true);
    expect(readGiftDraft("ord_2", { ...passes, order_products: [{ vip_id: 8 }] })).toBeNull();
    expect(readGiftDraft("ord_3", passes)).toEqual({ given: true, draft });
    expect(readGiftDraft("ord_3", passes)).toEqual({ given: true, draft });
    expect(readGiftDraft("ord_4", passes)).toBeNull();
  });

  it("is only proposed to who buys a pass again that was given", () => {
    keepGiftForAgain({ ...passes, gift }, false);
    expect(readGiftDraft("ord_5", passes)).toEqual({ given: false, draft });
    keepGiftForAgain(passes, true); // no gift
    expect(readGiftDraft("ord_6", passes)).toEqual({ given: false, draft });
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
      expect(isRenderedPerRequest(path, "")).toBe(true);
    },
  );

  it("is left out of logs and visits", () => {
    expect(hideSecrets("/zh/mobile/gift/abc_-1")).toBe("/zh/mobile/gift");
    expect(hideSecrets("/ZH/Gift/aB3")).toBe("/ZH/Gift");
    expect(hideSecrets("/product/gift")).toBe("/product/gift");
  });
});
