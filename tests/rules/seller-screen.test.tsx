import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { SellerScreen } from "@/components/shell/seller-screen";
import ja from "@/messages/ja.json";
import { testEnvironment } from "@/tests/setup/environment";

vi.mock("@/components/ui/link", () => ({
  Link: ({ href, children }: { href: string; children: React.ReactNode }) => <a href={href}>{children}</a>,
}));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function render(addsTax = false): Promise<string> {
  const { sellerIdentity } = await import("@/lib/platform/seller");
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="ja" messages={ja} timeZone="UTC">
      <SellerScreen seller={sellerIdentity()} addsTax={addsTax} refundDays={14} jsonLd={[]} />
    </NextIntlClientProvider>,
  );
}

it("the seller page shows the configured seller, with the terms of the 特定商取引法", async () => {
  const values = {
    SELLER_NAME: "Beispiel GmbH",
    SELLER_ADDRESS: "Hauptstraße 1|10115 Berlin|Deutschland",
    SELLER_REGISTRATION: "HRB 123456",
    SELLER_REPRESENTATIVE: "Erika Mustermann",
    SELLER_PHONE: "+49 30 123456",
    SELLER_TAX_ID: "DE123456789",
  };
  const environment = { ...testEnvironment, DATABASE_URL: "postgres://localhost/shop", ...values };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const html = await render();
  for (const value of Object.values(values).flatMap((text) => text.split("|"))) expect(html).toContain(value);
  const { name, address, phone, registration, representative, tax_id } = ja.ui.seller;
  for (const term of [name, address, phone, registration, representative, tax_id])
    expect(html).toContain(term);
  expect(html).toContain(ja.ui.seller.price_text);
});

it("the seller page promises no full amount where tax is added to prices", async () => {
  for (const [name, value] of Object.entries({
    ...testEnvironment,
    DATABASE_URL: "postgres://localhost/shop",
  }))
    vi.stubEnv(name, value);
  const html = await render(true);
  expect(html).toContain(ja.ui.seller.price_added);
  expect(html).not.toContain(ja.ui.seller.price_text);
});
