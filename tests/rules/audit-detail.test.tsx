import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ActorName } from "@/components/console/actor";
import { AuditDetail, AuditRaw } from "@/components/staff/audit-detail";
import { SurfaceProvider } from "@/components/ui/surface";
import { BULK_ACTIONS } from "@/lib/catalog/console/contract-editor";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { CHANGE_KINDS, CHANGE_RISKS, CHANGE_STATES, MERCHANT_STATES } from "@/lib/merchants/rules";
import { REFUND_REQUEST_STATES, REFUND_STATES } from "@/lib/payments/rules";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import type { AuditEntryView } from "@/lib/staff/audit/contract";
import { describeDetail, subjectPath } from "@/lib/staff/audit/rules-detail";
import { IMPORT_KINDS } from "@/lib/staff/imports/rules";
import { APPROVAL_KINDS } from "@/lib/staff/rules";
import { RETRIED_KINDS, RETRY_OUTCOMES } from "@/lib/staff/stuck/rules";
import en from "@/messages/console/en.json";
import ja from "@/messages/console/ja.json";
import zh from "@/messages/console/zh.json";

const MESSAGES = { en, ja, zh };
const render = (locale: Locale, node: React.ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={MESSAGES[locale]} timeZone="UTC">
      <SurfaceProvider locale={locale} surface="desktop">
        {node}
      </SurfaceProvider>
    </NextIntlClientProvider>,
  );

const entry = (detail: Record<string, unknown>, names = {}): AuditEntryView => ({
  entry_id: 7,
  at: "2026-11-28T10:00:00.000Z",
  actor: "ada@example.com",
  by: { id: "usr_ada", email: "ada@example.com", name: "Ada" },
  action: "refund.goodwill",
  subject: "ord_x",
  subject_name: null,
  detail,
  names,
  position: null,
});
/** What a reader sees before the raw data is opened. */
const shown = (locale: Locale, detail: Record<string, unknown>, names = {}) => {
  const read = entry(detail, names);
  const html = render(
    locale,
    <>
      <AuditDetail entry={read} />
      <AuditRaw entry={read} />
    </>,
  );
  const [visible = "", raw = ""] = html.split("<details");
  return { visible: visible.replace(/<[^>]+>/g, " ").replace(/\s+/g, " "), raw };
};

describe("the detail of an audit entry", () => {
  const detail = {
    line: "line_a",
    amountCents: 2600,
    reason: "Waited a week",
    user_id: "usr_ben",
    order_number: "PL-2611-0042",
    before: { refundedCents: 0, state: "failed" },
    after: { refundedCents: 2600, state: "settled" },
    sent_at: "2026-11-28T09:30:00.000Z",
    alone: true,
  };

  it.each([
    ["en", "$26.00", "$0.00 → $26.00", "Refunded", "Reason", "failed → paid by other means", "yes"],
    ["zh", "US$26.00", "US$0.00 → US$26.00", "已退款", "原因", "失败 → 已用其他方式支付", "是"],
    ["ja", "US$26.00", "US$0.00 → US$26.00", "返金", "理由", "失敗 → 別の方法で支払い済み", "はい"],
  ] as const)(
    "shows names, money, times and states in the language (%s)",
    (locale, amount, change, ...texts) => {
      const { visible, raw } = shown(locale, detail, { usr_ben: "ben@example.com" });
      for (const text of [amount, change, ...texts, "ben@example.com", "PL-2611-0042"])
        expect(visible).toContain(text);
      for (const name of ["amountCents", "refundedCents", "order_number", "user_id", "2600", "{"])
        expect(visible).not.toContain(name);
      expect(visible).toContain("2026");
      expect(visible).not.toContain("T09:30");
      // The stored entry stands behind a disclosure.
      expect(raw).toContain("&quot;amountCents&quot;: 2600");
    },
  );

  it("shows changed fields of a record and of a product, and marks what is too long", () => {
    const view = describeDetail({
      before: { enabled: false, monthlyBudgetCents: 10_000, texts: { en: "a" } },
      after: { enabled: true, monthlyBudgetCents: null, texts: { en: "b" } },
      changes: [{ path: "plans.month.price", before: "9.90", after: "7.90" }],
    });
    expect(view.rows).toEqual([
      { name: "enabled", before: { kind: "flag", yes: false }, after: { kind: "flag", yes: true } },
      { name: "monthly_budget", before: { kind: "money", cents: 10_000 }, after: { kind: "none" } },
      {
        name: "plans.month.price",
        before: { kind: "text", text: "9.90" },
        after: { kind: "text", text: "7.90" },
      },
    ]);
    expect(view.rest).toEqual(["texts"]);
  });

  it("accepts roles and states without a record, filters, and odd values", () => {
    expect(describeDetail({ before: ["support"], after: [] }).rows).toEqual([
      {
        name: "state",
        before: { kind: "list", items: [{ kind: "word", word: "support" }] },
        after: { kind: "list", items: [] },
      },
    ]);
    expect(describeDetail({ filters: { from: "2026-11-01", state: "late" }, rows: 12 }).rows).toEqual([
      { name: "from_day", value: { kind: "day", at: "2026-11-01" } },
      { name: "state", value: { kind: "word", word: "late" } },
      { name: "rows", value: { kind: "number", value: 12 } },
    ]);
    expect(describeDetail({ amount: -1.005, amountCents: 0.5, note: "x".repeat(400) })).toEqual({
      rows: [
        { name: "amount", value: { kind: "number", value: -1.005 } },
        { name: "amount", value: { kind: "number", value: 0.5 } },
      ],
      rest: ["note"],
    });
    expect(describeDetail({ at: "2026-13-45", seen_at: "2026-11-28T25:61:00Z" }).rows).toEqual([
      { name: "at", value: { kind: "text", text: "2026-13-45" } },
      { name: "seen_at", value: { kind: "text", text: "2026-11-28T25:61:00Z" } },
    ]);
    expect(describeDetail(null)).toEqual({ rows: [], rest: [] });
    for (const locale of LOCALES) expect(shown(locale, {}).visible).not.toContain("{");
  });

  it("has a text for every state and kind, and keeps free text as it was written", () => {
    const words = [
      ...STAFF_ROLES,
      ...MERCHANT_STATES,
      ...CHANGE_STATES,
      ...CHANGE_KINDS,
      ...CHANGE_RISKS,
      ...REFUND_STATES,
      ...REFUND_REQUEST_STATES,
      ...IMPORT_KINDS,
      ...Object.keys(APPROVAL_KINDS),
      ...BULK_ACTIONS,
      ...PASS_TYPES,
      ...RETRY_OUTCOMES,
      ...RETRIED_KINDS,
    ];
    const { audit, order_status, mail_events, stuck } = en.console;
    const known = { ...audit.word, ...order_status, ...mail_events, ...stuck.kind };
    expect(words.filter((word) => !(word in known))).toEqual([]);
    expect(shown("ja", { reason: "open", state: "open" }).visible).toContain("理由 open");
    expect(shown("ja", { state: "open" }).visible).not.toContain("open");
  });
});

describe("an actor", () => {
  it("is shown as an address with a name, or as the acting system with its id", () => {
    const text = (actor: Parameters<typeof ActorName>[0]["actor"]) =>
      render("en", <ActorName actor={actor} />)
        .replace(/<[^>]+>/g, " ")
        .replace(/\s+/g, " ")
        .trim();
    expect(text({ id: "usr_ada", email: "ada@example.com", name: "Ada" })).toBe("ada@example.com Ada");
    const other = (id: string) => text({ id, email: null, name: null });
    expect(other("system")).toBe("automatic system");
    expect(other("staff:root")).toBe("root (command line) staff:root");
    expect(other("token:tok_1")).toBe("a program of a merchant token:tok_1");
    expect(other("whatever")).toBe("whatever");
  });
});

it("the subject of an audit entry leads to its page", () => {
  expect(subjectPath("usr_a", "a@example.com")).toBe("/console/customers/usr_a");
  expect(subjectPath("ord_a", "PL-2611-0042")).toBe("/console/orders/PL-2611-0042");
  expect(subjectPath("product:12", null)).toBe("/console/products/12");
  expect(subjectPath("shop", null)).toBeNull();
  expect(subjectPath("/auth/x?usr_a", null)).toBeNull();
});
