import { describe, expect, it } from "vitest";
import { keysMail } from "@/emails/keys";
import { renderMail } from "@/emails/render";
import { mailSamples } from "@/emails/samples";
import type { Receipt } from "@/lib/orders/contract";
import { invoiceBlocks } from "@/lib/orders/invoice/get-invoice";
import { isCancellable, revealCost } from "@/lib/orders/rules";
import { lastWithdrawalDay, withdrawalApplies, withdrawalEnds } from "@/lib/orders/withdrawal/rules";
import { refundBeforePayment, refundDecision } from "@/lib/payments/refunds/rules";
import { canonicalTimeZone } from "@/lib/platform/api/time-zone";
import { formatDate, formatMoment, localizeTimes } from "@/lib/platform/format";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { includedTax } from "@/lib/platform/money";
import { writePdf } from "@/lib/platform/pdf-writer";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";

const AT = "2026-12-05T18:00:00Z";
const TOKYO = "Asia/Tokyo";

describe("times in the reader's zone", () => {
  it.each(LOCALES)("replace the times of a sentence, with the zone's name (%s)", (locale) => {
    const sentence = `Held until ${formatMoment(AT, locale)}.`;
    const local = localizeTimes(sentence, [AT], locale, TOKYO);
    expect(local).toBe(`Held until ${formatMoment(AT, locale, TOKYO)}.`);
    expect(local).toMatch(/GMT\+9|JST/);
    expect(localizeTimes(sentence, [AT], locale, "UTC")).toBe(sentence);
  });

  it("are replaced in one pass, so that no replaced time is replaced again", () => {
    const [first, second] = ["2026-12-05T18:00:00Z", "2026-12-06T18:00:00Z"];
    const sentence = `${formatDate(first, "en")}, then ${formatDate(second, "en")}`;
    expect(localizeTimes(sentence, [first, second], "en", TOKYO)).toBe(
      "6 December 2026, then 7 December 2026",
    );
  });

  it("leave a longer date that contains the text of a time", () => {
    expect(localizeTimes("15 December 2026", [AT], "en", TOKYO)).toBe("15 December 2026");
  });

  it.each([
    ["asia/tokyo", TOKYO],
    ["Europe/Berlin", "Europe/Berlin"],
    ["+09:00", null],
    ["Mars/Olympus", null],
    ["Asia/Tokyo; drop table", null],
    ["x".repeat(80), null],
    [null, null],
  ])("take the zone %j as %j", (name, zone) => {
    expect(canonicalTimeZone(name)).toBe(zone);
  });
});

describe("an email about an order", () => {
  const sample = mailSamples("en").find(({ name }) => name === "order-placed")!;

  const shop = { brand: "Passlane", url: "https://shop.example", seller: "Passlane Ltd, Dublin" };

  it("names the order's number, its times in the order's zone, and the seller", async () => {
    const options = { timeZone: TOKYO, orderNumber: "PL-2611-0042" };
    const { text } = await renderMail(sample.event, sample.props as never, "en", shop, options);
    expect(text).toContain("Order PL-2611-0042");
    expect(text).toContain("20 November 2026 at 19:30 GMT+9");
    expect(text).toContain("Passlane Ltd, Dublin");
  });

  it("names UTC where the zone is unknown", async () => {
    const { text } = await renderMail(sample.event, sample.props as never, "en", shop);
    expect(text).toContain("20 November 2026 at 10:30 UTC");
  });

  it("mentions the right of withdrawal only where it applies", () => {
    const props = mailSamples("en").find(({ name }) => name === "keys-library")!.props as never as Parameters<
      typeof keysMail.preview
    >[0];
    const context = { t: (key: string) => key } as never as Parameters<typeof keysMail.preview>[1];
    expect(keysMail.preview({ ...props, withdrawal: true }, context)).toBe("keys.lead");
    expect(keysMail.preview({ ...props, withdrawal: false }, context)).toBe("keys.lead_plain");
    for (const { emails } of [en, zh, ja])
      expect(`${emails.keys.lead_plain}${emails.keys.agreed_plain}`).not.toMatch(/withdraw|撤回/);
  });
});

describe("the right of withdrawal", () => {
  it.each([
    ["DE", TOKYO, true],
    ["GB", null, true],
    ["JP", "Europe/Paris", false],
    ["US", null, false],
    ["CH", "Europe/Zurich", false],
    [null, "Europe/Paris", true],
    [null, "Atlantic/Canary", true],
    [null, "CET", true],
    [null, TOKYO, false],
    [null, null, true],
    [null, "UTC", true],
  ])("applies with country %j and zone %j: %j", (country, zone, applies) => {
    expect(withdrawalApplies(country, zone)).toBe(applies);
  });
});

describe("the last day of a withdrawal", () => {
  it("is the fourteenth after the payment, in the buyer's zone, and the time accepted covers all of it", () => {
    const until = withdrawalEnds(new Date("2026-11-23T21:50:00Z"));
    expect(formatDate(lastWithdrawalDay(until), "en")).toBe("7 December 2026");
    expect(formatDate(lastWithdrawalDay(until), "en", TOKYO)).toBe("8 December 2026"); // paid on 24 November there
    expect(until.toISOString() > "2026-12-08T12:00:00Z").toBe(true); // the end of 7 December in the last zone
  });
});

const DAY_MS = 86_400_000;
const now = new Date("2026-11-23T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
const paid = { durationDays: 30, paidCents: 8900, limitedTime: false, redemption: "unredeemed" as const };

describe("a pre-order", () => {
  it("can be cancelled before delivery, even a short pass or a deal", () => {
    for (const pass of [paid, { ...paid, durationDays: 1 }, { ...paid, limitedTime: true }]) {
      const facts = { ...pass, preOrder: true, undelivered: true, paidAt: daysAgo(40) };
      expect(refundDecision(facts, now)).toMatchObject({
        refundable: true,
        amountCents: 8900,
        until: null,
        needsVendorConfirmation: false,
      });
    }
    expect(
      refundDecision({ ...paid, paidCents: 0, preOrder: true, undelivered: true, paidAt: now }, now).reason,
    ).toBe("free");
  });

  it("has its 15 days counted from delivery", () => {
    const facts = { ...paid, preOrder: true, paidAt: daysAgo(40), deliveredAt: daysAgo(10) };
    expect(refundDecision(facts, now)).toMatchObject({
      refundable: true,
      until: new Date(now.getTime() + 5 * DAY_MS),
    });
    expect(refundDecision({ ...facts, preOrder: false }, now).reason).toBe("window_over");
  });

  it("is labelled as such before the purchase", () => {
    expect(refundBeforePayment({ ...paid, preOrder: true }, now).reason).toBe("before_delivery_and_days");
    expect(refundBeforePayment({ ...paid, durationDays: 1, preOrder: true }, now).reason).toBe(
      "before_delivery",
    );
  });

  it("can be cancelled only while nothing is delivered", () => {
    expect(isCancellable({ can_refund: true, refund: { reason: "before_delivery" } })).toBe(true);
    expect(isCancellable({ can_refund: true, refund: { reason: "refundable" } })).toBe(false);
    expect(isCancellable({ can_refund: false, refund: { reason: "before_delivery" } })).toBe(false);
  });
});

describe("showing a code", () => {
  const line = {
    keep_in_library: true,
    immediate_delivery: true,
    can_refund: true,
    refund_at_once: true,
    refund: { amount: 89, until: AT },
  };

  it("ends the instant refund of its line when no code of it was seen before", () => {
    expect(revealCost(line, { seen: false })).toEqual({ amount: 89, until: AT });
    expect(revealCost(line, { seen: true })).toBeNull();
    expect(revealCost({ ...line, refund_at_once: false }, { seen: false })).toBeNull();
    expect(revealCost({ ...line, can_refund: false }, { seen: false })).toBeNull();
    expect(revealCost({ ...line, keep_in_library: false }, { seen: false })).toBeNull(); // mailed anyway
  });
});

it.each([
  ["en", en, "from {price}"],
  ["zh", zh, "{price} 起"],
  ["ja", ja, "{price}〜"],
] as const)("the lowest price is marked in %s", (_, messages, text) => {
  expect(messages.catalog.from).toBe(text);
  expect(messages.ui.share.from).toBe(text);
});

const receipt = {
  order: {
    order_id: "ord_x",
    order_number: "PL-2611-0042",
    send_email: "taro@example.com",
    subtotal: 58,
    discount_amount: 8,
    added_tax: 0,
    final_amount: 50,
    created_at: "2026-11-20T10:30:00Z",
    paid_at: "2026-11-20T20:30:00Z",
    refunds: [{ order_product_id: null, amount: 5, step: "done", at: "2026-11-21T10:00:00Z" }],
    order_products: [
      {
        order_product_id: "line_x",
        product_name: "Quillon 写稿",
        maker: "Ostrel Works",
        pass_type: "month",
        duration_days: 30,
        quantity: 2,
        price: 29,
      },
    ],
  },
  addresses: [
    {
      address_id: "adr_x",
      full_name: "山田 太郎",
      line1: "千代田1-1",
      line2: null,
      city: "千代田区",
      region: "東京都",
      postal_code: "100-0001",
      country: "JP",
    },
  ],
  method: "card",
  seller: {
    name: "Passlane Ltd",
    address: ["1 Harbour Street", "Dublin"],
    taxId: "IE1",
    registration: "CRO 1",
    representative: null,
    phone: null,
    email: "support@shop.example",
    site: "shop.example",
    tax: { name: "VAT", percent: 10 },
  },
} as unknown as Receipt;

describe("an invoice", () => {
  it("contains number, seller, buyer, lines, total and the included tax", () => {
    const text = JSON.stringify(invoiceBlocks(receipt, { locale: "en", timeZone: TOKYO }));
    for (const part of [
      "PL-2611-0042",
      "Passlane Ltd",
      "Registration: CRO 1",
      "Tax number IE1",
      "山田 太郎",
      "Japan",
      "Quillon 写稿",
      "Month pass",
      "$58.00",
      "−$8.00",
      "$50.00",
      "21 November 2026",
      "−$5.00",
      "Includes VAT 10%",
      "$4.09",
    ])
      expect(text).toContain(part);
    expect(includedTax(4500, 10)).toBe(409);
  });

  it("names no tax where none is configured", () => {
    const untaxed = { ...receipt, seller: { ...receipt.seller, tax: null } };
    expect(JSON.stringify(invoiceBlocks(untaxed, { locale: "en", timeZone: "UTC" }))).not.toContain(
      "Includes",
    );
  });

  it.each(LOCALES)("is a PDF with embedded fonts, for names in any of the languages (%s)", async (locale) => {
    const info = { title: "Invoice", author: "Passlane", createdAt: new Date(0) };
    const blocks = [
      ...invoiceBlocks(receipt, { locale, timeZone: "UTC" }),
      { kind: "note" as const, text: "山田 写稿 Müller Łódź 김" },
    ];
    const file = (await writePdf(blocks, info, locale)).toString("latin1");
    expect(file).toMatch(/^%PDF-1\.\d/);
    expect(file).toContain("/FontFile");
    expect(file).not.toContain("/Helvetica");
  });

  it("shows one empty box for each character that its fonts lack", async () => {
    const write = async (text: string) => {
      const info = { title: "", author: "", createdAt: new Date(0) };
      const file = await writePdf([{ kind: "note", text }], info, "en");
      return file.toString("latin1").replace(/[A-Z]{6}\+/g, ""); // random names of embedded fonts
    };
    expect(await write("Kim ᚌ 👩‍💻 ok?")).toBe(await write("Kim □ □ ok?"));
    expect(await write("Kim □ □ ok?")).not.toBe(await write("Kim ? ? ok?"));
  });
});
