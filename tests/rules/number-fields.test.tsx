import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { NumberInput } from "@/components/console/number-input";
import { settleQuantity } from "@/components/ui/quantity-stepper";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { parseTypedNumber } from "@/lib/platform/typed-number";
import en from "@/messages/console/en.json";
import ja from "@/messages/console/ja.json";
import zh from "@/messages/console/zh.json";

const MESSAGES = { en, zh, ja };

describe("a field for a number", () => {
  it.each(LOCALES)(
    "is a text field, which no browser parses in its own language, and says what it accepts in %s",
    (locale) => {
      const html = renderToStaticMarkup(
        <NextIntlClientProvider locale={locale} messages={MESSAGES[locale]} timeZone="UTC">
          <NumberInput name="amount" label="x" required />
        </NextIntlClientProvider>,
      );
      expect(html).not.toContain('type="number"');
      expect(html).toContain('inputMode="decimal"');
      expect(html).toContain(`title="${MESSAGES[locale].console.table.number_hint}"`);
      expect(html).toContain('pattern="');
    },
  );
});

describe("the quantity in the cart", () => {
  it.each([
    ["3", 3],
    ["３", 3],
    ["1,000", 99],
    ["0", 1],
    ["1.5", 2],
    ["1,000.5", 2],
    ["-5", 1],
    ["12.345", 2],
    ["", 2],
    ["ten", 2],
  ])("follows what is typed, and stays unchanged when that is not a whole number: %s", (typed, quantity) => {
    expect(settleQuantity(parseTypedNumber(typed), 2, 99)).toBe(quantity);
  });
});
