import { createTranslator, NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { usePaymentMethod } from "@/components/orders/console/payment-method";
import { useHitDetail } from "@/components/staff/find/hit-detail";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import type { FindHit } from "@/lib/staff/find/contract";
import en from "@/messages/console/en.json";
import ja from "@/messages/console/ja.json";
import zh from "@/messages/console/zh.json";

const MESSAGES = { en, ja, zh };
const render = (locale: Locale, node: React.ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={MESSAGES[locale]} timeZone="UTC">
      {node}
    </NextIntlClientProvider>,
  );

const Detail = ({ hit }: { hit: Pick<FindHit, "kind" | "detail"> }) => useHitDetail()(hit);
const Method = ({ method }: { method: string | null }) => usePaymentMethod()(method);

describe("find", () => {
  it.each(LOCALES)("names states as the pages of the records do (%s)", (locale) => {
    const { order_status, order, customer } = MESSAGES[locale].console;
    const cases: [FindHit["kind"], string, string][] = [
      ["order", "pending", order_status.pending],
      ["payment", "processingPayment", order_status.processingPayment],
      ["key", "quarantined", order.key_state.quarantined],
      ["coupon", "reserved", customer.coupon_state.reserved],
      ["order", "office@find.example", "office@find.example"],
      ["coupon", "spring", "spring"],
      ["customer", "pending", "pending"],
    ];
    for (const [kind, detail, text] of cases)
      expect(render(locale, <Detail hit={{ kind, detail }} />), `${kind} ${detail}`).toBe(text);
  });
});

describe("a payment method", () => {
  it.each([
    ["en", "card"],
    ["zh", "银行卡"],
    ["ja", "カード"],
  ] as const)("is named in the language (%s)", (locale, card) => {
    expect(render(locale, <Method method="card" />)).toBe(card);
    expect(render(locale, <Method method="apple_pay" />)).toBe("Apple Pay");
    expect(render(locale, <Method method="other_pay" />)).toBe("other_pay");
    expect(render(locale, <Method method={null} />)).toBe("–");
  });
});

describe("a dialog with effects", () => {
  const dialog = (props: { danger?: boolean; dismiss?: string }) =>
    render(
      "en",
      <EffectsDialog
        open
        title="Title"
        effects={["Effect"]}
        confirm="Do it"
        pending={false}
        problem=""
        onConfirm={() => {}}
        onClose={() => {}}
        {...props}
      />,
    );

  it("has a red button only when the action takes something away", () => {
    expect(dialog({})).not.toContain("button-danger");
    expect(dialog({ danger: true })).toContain("button-danger");
  });

  it("labels its cancel button so that it does not read like the action", () => {
    expect(dialog({})).toContain(">Cancel<");
    expect(dialog({ dismiss: "Keep the order" })).not.toContain(">Cancel<");
    for (const locale of LOCALES) {
      const { table, order_actions } = MESSAGES[locale].console;
      expect(order_actions.cancel_keep).not.toContain(table.cancel);
    }
  });
});

it.each(LOCALES)("the dialogs about a refund name its order (%s)", (locale) => {
  const t = createTranslator({ locale, messages: MESSAGES[locale] as typeof en });
  const values = { number: "PL-2611-0042", amount: "$5", pass: "Quillon" };
  for (const name of ["approve_title", "refuse_title", "settle_title"] as const)
    expect(t(`console.refunds.${name}`, values)).toContain("PL-2611-0042");
});
