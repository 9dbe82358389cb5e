import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { legalPlaceholderValues } from "@/lib/blog/rules";
import { SIGNED_OUT_COOKIE } from "@/lib/platform/auth/signed-out";
import { LEGAL_TEXTS, readLegal } from "@/lib/platform/content/legal";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { ATTRIBUTION_COOKIE } from "@/lib/platform/routing/attribution-cookie";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";

const values = (locale: (typeof LOCALES)[number]) =>
  legalPlaceholderValues({ locale, brand: "Shop", support: "help@shop.example" });
const read = (text: (typeof LEGAL_TEXTS)[number], locale: (typeof LOCALES)[number]) =>
  readLegal(text, { locale, surface: "mobile" }, values(locale));

describe.each(LOCALES)("legal texts in %s", (locale) => {
  it.each(LEGAL_TEXTS)("%s is complete, in its language and without placeholders", async (text) => {
    const { title, description, html } = await read(text, locale);
    expect(title.length).toBeGreaterThan(3);
    expect(description.length).toBeGreaterThan(20);
    expect(html).not.toMatch(/\{\w+\}|undefined|<script|<h1/);
    expect(html.match(/<h2/g)?.length).toBeGreaterThanOrEqual(4);
    if (locale === "zh") expect(html).toMatch(/\p{Script=Han}/u);
    if (locale === "ja") expect(html).toMatch(/\p{Script=Hiragana}/u);
  });

  it("take their numbers from the rules", async () => {
    const { html } = await read("refund-policy", locale);
    const { refund_days, refundable_from_days, merchant_hours } = values(locale);
    for (const number of [refund_days, refundable_from_days, merchant_hours]) expect(html).toContain(number);
    const terms = (await read("terms-of-service", locale)).html;
    for (const number of [values(locale).adult_age, values(locale).minor_age, "12"])
      expect(terms).toContain(number);
    expect(terms).toMatch(/cash|现金|現金/);
    const prefix = locale === "en" ? "" : `/${locale}`;
    expect(terms).toContain(`href="${prefix}/mobile/refund-policy"`);
  });
});

it("no legal text contains a literal number of a rule", async () => {
  for (const locale of LOCALES)
    for (const text of LEGAL_TEXTS) {
      const otherValues = {
        ...values(locale),
        refund_days: "97",
        refundable_from_days: "98",
        merchant_hours: "99",
        low_stock_hold_minutes: "96",
      };
      const { html } = await readLegal(text, { locale, surface: "desktop" }, otherValues);
      expect(html, `${text} ${locale}`).not.toMatch(/\b15\b|\b48\b/);
    }
});

it("the text about cookies names each cookie and each entry of the browser's storage", async () => {
  const kept = new Set([
    SIGNED_OUT_COOKIE,
    ATTRIBUTION_COOKIE,
    "next-auth.session-token",
    "device_id",
    "fresh",
  ]);
  const paths = ["components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => `${folder}/${path}`),
  );
  for (const path of paths) {
    const source = readFileSync(path, "utf8");
    for (const [, name] of source.matchAll(
      /(?:Storage\.\w+\(|writeCookie\(|\b[A-Z_]*(?:KEY|DISMISSED|WITHOUT) = )["`]([a-z][\w:]+)/g,
    ))
      if (!/^(?:passlane|console):/.test(name!) && !/VAULT/i.test(name!)) kept.add(name!);
  }
  expect(kept.size).toBeGreaterThan(15);
  for (const locale of LOCALES) {
    const { html } = await read("cookies", locale);
    expect([...kept].filter((name) => !html.includes(`<code>${name}</code>`))).toEqual([]);
  }
});

it("the seller page names the withdrawal as its page does, in every language", () => {
  const [zhText, jaText] = [zh, ja].map(({ ui }) => ui.seller.returns_text);
  expect(zhText).toContain(`<cancel>${zh.ui.links.withdraw}</cancel>`);
  expect(jaText).toContain(`<cancel>${ja.ui.links.withdraw}</cancel>`);
  expect(en.ui.seller.returns_text.toLowerCase()).toContain(
    `<cancel>${en.ui.links.withdraw.toLowerCase()}</cancel>`,
  );
});
