import { createTranslator, NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { GoodwillLimit } from "@/components/orders/console/order-actions";
import { OrderRecord } from "@/components/orders/console/order-page";
import { Timeline } from "@/components/orders/console/timeline";
import { SurfaceProvider } from "@/components/ui/surface";
import type { ConsoleOrderDetail, TimelineEntry } from "@/lib/orders/console/contract-detail";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import en from "@/messages/console/en.json";
import ja from "@/messages/console/ja.json";
import zh from "@/messages/console/zh.json";
import shopEn from "@/messages/en.json";
import shopJa from "@/messages/ja.json";
import shopZh from "@/messages/zh.json";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push() {}, refresh() {} }) }));
vi.mock("@/components/ui/local-text", () => ({ useReader: () => ({ timeZone: "Asia/Tokyo" }) }));

const SHOP = { en: shopEn, zh: shopZh, ja: shopJa };
const MESSAGES = { en: { ...shopEn, ...en }, zh: { ...shopZh, ...zh }, ja: { ...shopJa, ...ja } };
const render = (locale: Locale, node: React.ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={MESSAGES[locale]} timeZone="UTC">
      <SurfaceProvider locale={locale} surface="desktop">
        {node}
      </SurfaceProvider>
    </NextIntlClientProvider>,
  );
const texts = (locale: Locale) =>
  createTranslator({ locale, messages: MESSAGES[locale] as typeof MESSAGES.en });

const AT = "2026-11-28T10:00:00.000Z";
const LINE: ConsoleOrderDetail["order_products"][number] = {
  order_product_id: "line_1",
  product_id: 1,
  vip_id: 2,
  slug: "quillon-draft",
  product_name: "Quillon Draft",
  maker: "Ostrel Works",
  vip_type: "Month",
  quantity: 1,
  price: 20,
  total: 20,
  refunded_quantity: 0,
  refunded_amount: 0,
  state: "reserved",
  keep_in_library: false,
  immediate_delivery: null,
  pre_order: false,
  deliver_by: null,
  refund: { refundable: false, amount: 0, until: null, reason: "unpaid" },
  refund_request: null,
  refund_at_once: false,
} as never;
const ORDER: ConsoleOrderDetail = {
  order_id: "ord_1",
  order_number: "PL-2611-0042",
  version: "5f2b8c1d09e37a64",
  status: "pending",
  created_at: AT,
  paid_at: null,
  hold_ends_at: "2026-11-28T16:30:00.000Z",
  cancel_requested: false,
  customer: { customer_id: "usr_1", email: "mara@example.com", username: "Mara", other_orders: [] },
  requests: { refunds: [], failed_refunds: [], replacements: [] },
  send_email: "mara@example.com",
  locale: "en",
  country: null,
  came_from: null,
  subtotal: 20,
  discount_amount: 0,
  coupon_code: null,
  final_amount: 20,
  goodwill_given: 0,
  disputed: false,
  gift: null,
  order_products: [LINE],
  payments: [],
  refunds: [],
  disputes: [],
  fraud_warnings: [],
  payment_reviews: [],
  keys: [],
  mails: [],
  ledger: [],
  notes: [],
  timeline: [],
};
const RIGHTS = { write: true, refunds: true, replacements: true, goodwill: null };
const page = (locale: Locale, order: Partial<ConsoleOrderDetail> = {}) =>
  render(
    locale,
    <OrderRecord
      order={{ ...ORDER, ...order }}
      people={[]}
      mayWrite
      mayAudit
      hasSignals={false}
      may={RIGHTS}
    />,
  );

describe("the order page of staff", () => {
  it.each(LOCALES)("says until when an unpaid order is held, in the reader's zone (%s)", (locale) => {
    const { held_until } = MESSAGES[locale].console.order;
    const html = page(locale);
    expect(html).toContain(held_until);
    expect(html).toMatch(/dateTime="2026-11-28T16:30:00.000Z"[^>]*>[^<]*29[^<]*01:30/i);
    for (const status of ["completed", "cancelled"] as const)
      expect(page(locale, { status })).not.toContain(held_until);
  });

  it.each(LOCALES)("offers no second cancellation while the running payment decides (%s)", (locale) => {
    const { order, order_actions } = MESSAGES[locale].console;
    expect(page(locale)).toContain(`>${order_actions.cancel}<`);
    const html = page(locale, { status: "processingPayment", cancel_requested: true });
    expect(html).toContain(order.cancel_requested);
    expect(html).not.toContain(`>${order_actions.cancel}<`);
  });

  it.each(LOCALES)("says where codes are if they were not mailed, and why (%s)", (locale) => {
    const { order_status, kept_codes, order } = MESSAGES[locale].console;
    expect(order_status.shipped).toBe(SHOP[locale].orders.status.shipped);
    const line = { ...LINE, state: "assigned" as const, immediate_delivery: false };
    const code = {
      key_id: "key_1",
      order_product_id: "line_1",
      slot: 1,
      state: "assigned" as const,
      redemption: "unredeemed" as const,
      redeem_by: null,
      assigned_at: AT,
      mailed_at: null,
      revealed_at: null,
      activated_at: null,
      version: "5f2b8c1d09e37a64",
      events: 2,
      sealed: 2,
    };
    const kept = page(locale, { status: "shipped", paid_at: AT, order_products: [line], keys: [code] });
    for (const text of [
      order_status.shipped,
      kept_codes.no_consent,
      order.delivery.library,
      order.not_mailed,
    ])
      expect(kept).toContain(text);
    expect(kept).not.toContain(order.delivery.email);
    const mailed = { ...line, immediate_delivery: true };
    const waiting = page(locale, { status: "shipped", paid_at: AT, order_products: [mailed], keys: [code] });
    expect(waiting).toContain(order.delivery.email);
    expect(waiting).not.toContain(kept_codes.no_consent);
  });
});

describe("the timeline", () => {
  const entry = (more: Partial<TimelineEntry>): TimelineEntry => ({
    at: AT,
    kind: "key",
    event: "revealed",
    detail: null,
    actor: null,
    device: null,
    ...more,
  });

  it.each(LOCALES)("does not label an email without a code as one with codes (%s)", (locale) => {
    const { mail_events, mails, kept_codes } = MESSAGES[locale].console;
    const html = render(
      locale,
      <Timeline
        entries={[
          entry({ kind: "order", event: "assigned", detail: "no_consent" }),
          entry({ kind: "email", event: "sent", detail: "keys.none" }),
        ]}
      />,
    );
    for (const text of [kept_codes.no_consent, mails.codes_none]) expect(html).toContain(text);
    expect(html).not.toContain(` · ${mail_events.keys}<`);
  });

  it.each(LOCALES)("names actors in words (%s)", (locale) => {
    const { actors } = MESSAGES[locale].console;
    const html = render(
      locale,
      <Timeline
        entries={[
          entry({ actor: "shop" }),
          entry({ actor: "deadline" }),
          entry({ actor: "staff:mara" }),
          entry({ actor: "deleted-x7@deleted.invalid" }),
          entry({ actor: "mara@example.com", device: "Firefox, Linux" }),
        ]}
      />,
    );
    for (const text of [actors.shop, actors.deadline, actors.deleted, "mara@example.com · Firefox, Linux"])
      expect(html).toContain(` · ${text}<`);
    expect(html).toContain(texts(locale)("console.actors.shell", { name: "mara" }));
    expect(html).not.toMatch(/staff:mara|deleted\.invalid/);
  });
});

describe("the dialog of a gesture", () => {
  const limit = (locale: Locale, given: number, limitCents: number | null) =>
    render(
      locale,
      <GoodwillLimit
        order={{ goodwill_given: given }}
        rights={{
          limitCents,
          role: limitCents === null ? "finance" : "support",
          secondPersonAboveCents: 10_000,
        }}
      />,
    );

  it.each(LOCALES)("says whose limit applies, what was given and what is left (%s)", (locale) => {
    const html = limit(locale, 20, 2_500);
    for (const text of [MESSAGES[locale].console.roles.support, "$25.00", "$20.00", "$5.00"])
      expect(html).toContain(text);
    expect(limit(locale, 40, 2_500)).toContain("$0.00");
  });

  it.each(LOCALES)("says above which amount a second person decides (%s)", (locale) => {
    const html = limit(locale, 70, null);
    for (const text of ["$70.00", "$100.00"]) expect(html).toContain(text);
    expect(html).not.toContain("$25.00");
  });
});
