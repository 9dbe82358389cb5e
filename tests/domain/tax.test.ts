import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import builtIn from "@/db/seed/tax-rates.json";
import { listTaxes, taxReportCsv } from "@/lib/orders/console/list-taxes";
import { chooseDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { findOrder } from "@/lib/orders/find-order";
import { getInvoice } from "@/lib/orders/invoice/get-invoice";
import { checkVatIdsJob } from "@/lib/orders/jobs";
import { changeCoupon } from "@/lib/orders/placing/change-coupon";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { answerTaxQuestion } from "@/lib/orders/tax/answer-tax-question";
import { checkVatIdsAgain } from "@/lib/orders/tax/check-vat-ids-again";
import { issueTaxDocuments } from "@/lib/orders/tax/issue-tax-documents";
import { setTaxBusiness } from "@/lib/orders/tax/set-tax-business";
import { storeNetworkCountry } from "@/lib/orders/tax/store-network-country";
import { importTaxRates } from "@/lib/payments/tax/import-tax-rates";
import { EU_COUNTRIES, taxOnTop, taxWithin } from "@/lib/payments/tax/rules";
import { SANDBOX_VAT_IDS } from "@/lib/payments/tax/rules-vat-id";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { isShopError } from "@/lib/platform/errors";
import { toSignedCents } from "@/lib/platform/money";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { auditSale } from "../setup/audit";
import { rounds } from "../setup/rounds";
import * as sale from "../setup/sale";

let buyer: sale.Buyer;
let plan: number;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
  plan = (await createProduct({ plans: [{ type: "month", priceCents: 1_499, keys: 300 }] })).plans[0]!.id;
});
beforeEach(() => {
  Object.assign(env(), {
    TAX_COUNTRY: "IE",
    TAX_IDS: { IE: "IE0000000X", JP: "T0000000000000" },
    TAX_PRICES: "included",
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.closeSale);

type Bought = { country?: string; card?: string; business?: string; quantity?: number };

/** A new buyer buys with the named country and a card of a country, and leaves the codes unseen. */
async function buy({ country, card, business, quantity = 1 }: Bought): Promise<string> {
  buyer = await sale.createBuyer();
  const orderId = await sale.orderPlan(buyer, plan, quantity);
  await db.execute(sql`update orders set country = null where id = ${orderId}`);
  if (country) await chooseDelivery(buyer.viewer, { order_id: orderId, country });
  if (business)
    await setTaxBusiness(buyer.viewer, {
      order_id: orderId,
      business: { vat_id: business, company: "株式会社 Beispiel GmbH", address: "Hauptstr. 1\n10115 Berlin" },
    });
  const { clientSecret } = await sale.openPayment(buyer, orderId, { immediate_delivery: false });
  await confirmSandboxIntent(clientSecret, "succeeded", card ? `card_${card}` : "card");
  await sale.waitForEvents();
  await sale.runQueue({ mails: false });
  return orderId;
}

type Sums = { invoices: number; credits: number; tax: number; ledger: number; paid: number };
/** Of an order, or of all: what its documents say, and what the ledger has, in cents. */
async function sums(orderId?: string): Promise<Sums> {
  const isMine = orderId ? sql`order_id = ${orderId}` : sql`true`;
  const [row] = await db.execute<Sums>(sql`
    select coalesce(sum(gross_cents) filter (where kind = 'invoice'), 0)::int as invoices,
      coalesce(sum(gross_cents) filter (where kind = 'credit_note'), 0)::int as credits,
      coalesce(sum(case kind when 'invoice' then tax_cents else -tax_cents end), 0)::int as tax,
      (select coalesce(-sum(amount_cents), 0)::int from ledger_entries where account = 'tax_payable' and ${isMine}) as ledger,
      (select coalesce(sum(amount_cents), 0)::int from ledger_entries where account = 'provider_cash' and ${isMine}) as paid
    from tax_documents where ${isMine}`);
  return row!;
}

async function refund(orderId: string): Promise<void> {
  const order = await findOrder(buyer.viewer, orderId, "en");
  const lineId = order!.order_products[0]!.order_product_id;
  await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: lineId }, "en");
  await sale.waitForEvents();
  await sale.runQueue({ mails: false });
}

const storeRate = (day: string, EUR: number) =>
  db.execute(sql`
    insert into exchange_rate_days (day, rates) values (${day}, ${JSON.stringify({ EUR })}::jsonb)
    on conflict (day) do update set rates = excluded.rates`);

const VAT_IDS: Record<string, string> = {
  DE: "DE136695976",
  AT: "ATU13585627",
  NL: "NL004495445B01",
  IT: "IT00743110157",
};

/** In hundredths of a percent, as the shop ships them. */
const RATES: Record<string, number> = { DE: 1_900, AT: 2_000, NL: 2_100, IT: 2_200 };

describe("taxes of orders", () => {
  it("are not claimed without a configured country", async () => {
    Object.assign(env(), { TAX_COUNTRY: "off" });
    const orderId = await buy({ country: "DE", card: "DE" });
    expect((await findOrder(buyer.viewer, orderId, "en"))?.tax).toBeNull();
    expect(await sums(orderId)).toEqual({ invoices: 0, credits: 0, tax: 0, ledger: 0, paid: 1_499 });
    const [rate] = await db.execute(sql`select 1 from tax_rates`);
    expect(rate).toBeDefined();
    expect(await importTaxRates()).toBe(0);
  });

  it.each(["included", "added"] as const)(
    "of 27 countries, private or business, refunded or not, with prices that have them %s, add up to the cent",
    async (prices) => {
      Object.assign(env(), { TAX_PRICES: prices });
      const isAdded = prices === "added";
      for (const country of [...EU_COUNTRIES.slice(0, rounds(27, 3)), "JP", "US"]) {
        const orderId = await buy({ country, card: country, quantity: 3 });
        const order = (await findOrder(buyer.viewer, orderId, "en"))!;
        const bps = Math.round((order.tax!.percent ?? 0) * 100);
        expect(bps > 0).toBe(country !== "US");
        const tax = isAdded ? taxOnTop(4_497, bps) : taxWithin(4_497, bps);
        const total = isAdded ? 4_497 + tax : 4_497;
        expect(
          [order.final_amount, order.added_tax, order.tax!.amount].map((amount) => Math.round(amount * 100)),
        ).toEqual([total, isAdded ? tax : 0, tax]);
        expect(await sums(orderId)).toEqual({ invoices: total, credits: 0, tax, ledger: tax, paid: total });
        const [share] = await db.execute<{ parts: number; tax: number }>(
          sql`select commission_cents + net_cents + tax_cents as parts, tax_cents as tax from merchant_sales where order_id = ${orderId}`,
        );
        // A merchant's share is of the price without tax.
        expect(share).toEqual({ parts: 4_497, tax: isAdded ? 0 : tax });
        if (EU_COUNTRIES.indexOf(country) % 2 === 1) continue;
        await refund(orderId);
        expect(await sums(orderId)).toEqual({ invoices: total, credits: total, tax: 0, ledger: 0, paid: 0 });
      }
      for (const [country, vatId] of Object.entries(VAT_IDS).slice(0, rounds(4, 1))) {
        const orderId = await buy({ country, card: "US", business: vatId });
        const order = (await findOrder(buyer.viewer, orderId, "en"))!;
        expect(order.tax).toMatchObject({
          country,
          treatment: "reverse_charge",
          percent: 0,
          amount: 0,
          question: null,
        });
        const total = isAdded ? 1_499 : 1_499 - taxWithin(1_499, RATES[country]!);
        expect(Math.round(order.added_tax * 100)).toBe(total - 1_499);
        expect(await sums(orderId)).toEqual({ invoices: total, credits: 0, tax: 0, ledger: 0, paid: total });
        const [share] = await db.execute<{ base: number }>(
          sql`select commission_cents + net_cents as base from merchant_sales where order_id = ${orderId}`,
        );
        expect(share?.base).toBe(total);
        await refund(orderId);
        expect(await sums(orderId)).toMatchObject({ credits: total, paid: 0 });
      }
      const all = await sums();
      expect(all.tax).toBe(all.ledger);
      expect(all.tax).toBeGreaterThan(0);
      const { report, documents_tax, ledger_tax, quarter, items, eur_day } = await listTaxes({});
      const reported = report.reduce((sum, { tax }) => sum + Math.round(tax * 100), 0);
      expect([toSignedCents(documents_tax), toSignedCents(ledger_tax), reported]).toEqual([
        all.tax,
        all.tax,
        all.tax,
      ]);
      expect(report.map(({ scheme }) => scheme)).toEqual(
        expect.arrayContaining(["oss", "national", "outside", "reverse_charge"]),
      );
      expect(items.length).toBeGreaterThan(0);
      const missing = await taxReportCsv({ quarter }).catch((error) => error);
      if (!isAdded) expect(isShopError(missing, "tax_rate_missing")).toBe(true);
      await storeRate(eur_day, 0.8);
      const { text } = await taxReportCsv({ quarter });
      expect(text.trimEnd().split("\r\n").at(-1)).toBe(
        `sum,,,${quarter},${(all.invoices - all.credits - all.tax) / 100},${all.tax / 100},,,`,
      );
    },
    180_000,
  );

  it("change the total when country, coupon or business change, and close the payment that was opened for another", async () => {
    Object.assign(env(), { TAX_PRICES: "added" });
    buyer = await sale.createBuyer();
    const orderId = await sale.orderPlan(buyer, plan, 3);
    const total = async () => Math.round((await findOrder(buyer.viewer, orderId, "en"))!.final_amount * 100);
    await chooseDelivery(buyer.viewer, { order_id: orderId, country: "DE" });
    expect(await total()).toBe(4_497 + taxOnTop(4_497, 1_900));
    await sale.openPayment(buyer, orderId, { immediate_delivery: false });
    await chooseDelivery(buyer.viewer, { order_id: orderId, country: "DE" });
    const states = async () =>
      (
        await db.execute<{ state: string; cents: number }>(
          sql`select state, amount_cents as cents from payments where order_id = ${orderId} order by created_at`,
        )
      ).map(({ state, cents }) => `${state === "canceled" ? "closed" : "open"} ${cents}`);
    expect(await states()).toEqual(["open 5351"]);
    await chooseDelivery(buyer.viewer, { order_id: orderId, country: "HU" });
    expect(await total()).toBe(4_497 + taxOnTop(4_497, 2_700));
    expect(await states()).toEqual(["closed 5351"]);
    await sale.openPayment(buyer, orderId, { immediate_delivery: false });
    const business = { vat_id: VAT_IDS.DE!, company: "Beispiel GmbH", address: "Hauptstr. 1" };
    expect(await setTaxBusiness(buyer.viewer, { order_id: orderId, business })).toMatchObject({ percent: 0 });
    expect(await total()).toBe(4_497);
    expect(await states()).toEqual(["closed 5351", "closed 5711"]);
    await setTaxBusiness(buyer.viewer, { order_id: orderId });
    expect(await total()).toBe(5_711);
    await changeCoupon(buyer.viewer, { order_id: orderId }, "en");
    expect(await total()).toBe(5_711);
  });

  it("of a seller outside of the EU are declared to each country where it is registered, and together in the scheme of the EU only", async () => {
    Object.assign(env(), { TAX_COUNTRY: "US", TAX_IDS: { DE: VAT_IDS.DE } });
    const orderId = await buy({ country: "DE", card: "DE" });
    expect((await sums(orderId)).tax).toBe(taxWithin(1_499, 1_900));
    const german = async () =>
      (await listTaxes({})).report
        .filter(({ country, percent }) => country === "DE" && percent === 19)
        .map(({ scheme }) => scheme);
    expect(await german()).toEqual(["national"]);
    Object.assign(env(), { TAX_IDS: { DE: VAT_IDS.DE, EU: "EU372000041" } });
    expect(await german()).toEqual(["oss"]);
  });

  it("follow the buyer's answer when card and checkout name two countries", async () => {
    const orderId = await buy({ country: "DE", card: "HU" });
    const asked = (await findOrder(buyer.viewer, orderId, "en"))!.tax!;
    expect(asked).toMatchObject({ country: "DE", percent: 19, question: ["DE", "HU"] });
    const other = await answerTaxQuestion(buyer.viewer, { order_id: orderId, country: "MT" }).catch(
      (error) => error,
    );
    expect(isShopError(other, "country_invalid")).toBe(true);
    const [sold] = await db.execute<{ rule: string; bps: number }>(sql`
      select s.rule_id as rule, r.bps from merchant_sales s join commission_rules r on r.id = s.rule_id where order_id = ${orderId}`);
    await db.execute(sql`
      insert into commission_rules (id, merchant_id, bps, valid_from, created_by)
      select ${newId("cru")}, merchant_id, 9000, shop_now() - interval '1 day', 'test' from merchant_sales where order_id = ${orderId}`);
    const answered = await answerTaxQuestion(buyer.viewer, { order_id: orderId, country: "HU" });
    expect(answered).toMatchObject({ country: "HU", percent: 27, question: null });
    expect(answered.documents.map(({ kind }) => kind).sort()).toEqual(["credit_note", "invoice", "invoice"]);
    const tax = taxWithin(1_499, 2_700);
    expect(await sums(orderId)).toEqual({ invoices: 2_998, credits: 1_499, tax, ledger: tax, paid: 1_499 });
    const [share] = await db.execute<{ tax: number; rule: string; commission: number }>(sql`
      select tax_cents as tax, rule_id as rule, commission_cents as commission from merchant_sales where order_id = ${orderId}`);
    // The merchant's share follows the tax, by the commission of the day of the sale.
    expect(share).toEqual({
      tax,
      rule: sold!.rule,
      commission: Math.round(((1_499 - tax) * sold!.bps) / 10_000),
    });
    const again = await answerTaxQuestion(buyer.viewer, { order_id: orderId, country: "DE" }).catch(
      (error) => error,
    );
    expect(isShopError(again, "tax_settled")).toBe(true);
    await refund(orderId);
    expect(await sums(orderId)).toEqual({ invoices: 2_998, credits: 2_998, tax: 0, ledger: 0, paid: 0 });
  });

  it("are charged while a VAT id cannot be checked, and are given back by invoice once it is valid", async () => {
    const orderId = await buy({ country: "FR", card: "FR", business: SANDBOX_VAT_IDS.unchecked });
    const before = (await findOrder(buyer.viewer, orderId, "en"))!.tax!;
    expect(before).toMatchObject({ percent: 20, treatment: "taxed", business: { check: "unchecked" } });
    expect(await checkVatIdsAgain()).toBe(0);
    expect((await sums(orderId)).tax).toBe(taxWithin(1_499, 2_000));
    Object.assign(env(), { PAYMENT_MODE: "test", VIES_URL: "http://127.0.0.1:9/vies" });
    const vies = vi.spyOn(globalThis, "fetch").mockImplementation(async (address) => {
      expect(String(address)).toBe(
        "http://127.0.0.1:9/vies/ms/FR/vat/40303265045?requesterMemberStateCode=IE&requesterNumber=0000000X",
      );
      return Response.json({ isValid: true, userError: "VALID", requestIdentifier: "WAPI1" });
    });
    expect(await checkVatIdsAgain()).toBe(1);
    expect(vies).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
    Object.assign(env(), { PAYMENT_MODE: "sandbox" });
    const after = (await findOrder(buyer.viewer, orderId, "en"))!.tax!;
    expect(after).toMatchObject({ treatment: "reverse_charge", percent: 0, business: { check: "valid" } });
    expect(await sums(orderId)).toEqual({ invoices: 2_998, credits: 1_499, tax: 0, ledger: 0, paid: 1_499 });
    expect(await checkVatIdsAgain()).toBe(0);
  });

  it("ask a silent service about one VAT id an hour, and about the others where only a member state is silent", async () => {
    const [first, second] = [
      await buy({ country: "FR", card: "FR", business: SANDBOX_VAT_IDS.unchecked }),
      await buy({ country: "FR", card: "FR", business: SANDBOX_VAT_IDS.unchecked }),
    ];
    Object.assign(env(), { PAYMENT_MODE: "test", VIES_URL: "http://127.0.0.1:9/vies" });
    const vies = vi.spyOn(globalThis, "fetch").mockRejectedValue(new DOMException("late", "TimeoutError"));
    expect(await checkVatIdsAgain()).toBe(0);
    expect(vies).toHaveBeenCalledOnce();
    vies
      .mockReset()
      .mockImplementation(async () => Response.json({ isValid: false, userError: "MS_UNAVAILABLE" }));
    expect(await checkVatIdsAgain()).toBe(0);
    expect(vies).toHaveBeenCalledTimes(2);
    vies.mockReset().mockImplementation(async () => Response.json({ isValid: true, userError: "VALID" }));
    expect(await checkVatIdsAgain()).toBe(2);
    vi.restoreAllMocks();
    Object.assign(env(), { PAYMENT_MODE: "sandbox" });
    for (const orderId of [first, second]) expect((await sums(orderId)).tax).toBe(0);
    expect(checkVatIdsJob.pool ?? "general").toBe("general");
  });

  it("count the country of the connection as evidence, which the proxy names", async () => {
    const orderId = await sale.orderPlan(buyer, plan);
    const headers = new Headers({ "cf-ipcountry": "de" });
    await storeNetworkCountry(buyer.viewer, orderId, headers);
    Object.assign(env(), { TAX_COUNTRY_HEADER: "cf-ipcountry" });
    await storeNetworkCountry(buyer.viewer, orderId, new Headers({ "cf-ipcountry": "T1" }));
    expect(await db.execute(sql`select 1 from order_taxes where order_id = ${orderId}`)).toHaveLength(0);
    await storeNetworkCountry(buyer.viewer, orderId, headers);
    await chooseDelivery(buyer.viewer, { order_id: orderId, country: "FR" });
    const { clientSecret } = await sale.openPayment(buyer, orderId, { immediate_delivery: false });
    await confirmSandboxIntent(clientSecret, "succeeded", "card_DE");
    await sale.processEvents();
    const tax = (await findOrder(buyer.viewer, orderId, "en"))!.tax!;
    expect(tax).toMatchObject({ country: "DE", percent: 19, question: null });
    Object.assign(env(), { TAX_COUNTRY_HEADER: undefined });
  });

  it("are charged for a VAT id that the service does not know, and a malformed one is refused", async () => {
    const orderId = await buy({ country: "DE", card: "DE", business: SANDBOX_VAT_IDS.invalid });
    expect((await findOrder(buyer.viewer, orderId, "en"))!.tax).toMatchObject({
      percent: 19,
      business: { check: "invalid" },
    });
    const open = await sale.orderPlan(buyer, plan);
    const business = { vat_id: "DE123456789", company: "A", address: "B" };
    const refused = await setTaxBusiness(buyer.viewer, { order_id: open, business }).catch((error) => error);
    expect(isShopError(refused, "vat_id_invalid")).toBe(true);
  });
});

describe("the report for the one-stop shop", () => {
  it("has the euros of the quarter's last day, else of the next day with a rate, and says which", async () => {
    const quarter = "2031-Q1";
    const eurOf = async () => (await listTaxes({ quarter })).eur;
    expect(await eurOf()).toBeNull();
    await storeRate("2031-03-30", 0.7);
    await storeRate("2031-04-07", 0.6);
    expect(await eurOf()).toBeNull();
    await storeRate("2031-04-02", 0.9);
    expect(await eurOf()).toEqual({ rate: 0.9, day: "2031-04-02" });
    const file = join(mkdtempSync(join(tmpdir(), "rates-")), "exchange.json");
    const history = { "2031-03-31": { EUR: 0.85 } };
    writeFileSync(file, JSON.stringify({ date: "2031-06-01", base: "USD", rates: { EUR: 0.5 }, history }));
    Object.assign(env(), { EXCHANGE_RATES_FILE: file });
    expect(await eurOf()).toEqual({ rate: 0.85, day: "2031-03-31" });
    Object.assign(env(), { EXCHANGE_RATES_FILE: undefined });
  });
});

describe("a business outside of the EU", () => {
  it("pays the tax of its country, and the invoice names its tax id", async () => {
    const orderId = await buy({ country: "JP", card: "JP", business: "T1234567890123" });
    const tax = (await findOrder(buyer.viewer, orderId, "en"))!.tax!;
    expect(tax).toMatchObject({
      country: "JP",
      treatment: "taxed",
      percent: 10,
      business: { check: "recorded" },
      business_id: { eu: false },
    });
    const [document] = await db.execute<{ id: string }>(
      sql`select content->'buyer'->>'vat_id' as id from tax_documents where order_id = ${orderId}`,
    );
    expect(document?.id).toBe("T1234567890123");
    expect((await sums(orderId)).tax).toBe(taxWithin(1_499, 1_000));
  });

  it("owes the tax itself where the file of rates says so, and is asked only where something changes", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "rates-")), "rates.json");
    const businesses = builtIn.businesses.map((rule) => ({ ...rule, reverse_charge: rule.country === "JP" }));
    writeFileSync(file, JSON.stringify({ ...builtIn, businesses }));
    Object.assign(env(), { TAX_RATES_FILE: file });
    const orderId = await buy({ country: "JP", card: "JP", business: "T1234567890123" });
    Object.assign(env(), { TAX_RATES_FILE: undefined });
    const order = (await findOrder(buyer.viewer, orderId, "en"))!;
    expect(order.tax).toMatchObject({ treatment: "reverse_charge", amount: 0 });
    expect(Math.round(order.final_amount * 100)).toBe(1_499 - taxWithin(1_499, 1_000));
    const open = await sale.orderPlan(buyer, plan);
    const asked = async (country: string) => {
      await chooseDelivery(buyer.viewer, { order_id: open, country });
      return (await findOrder(buyer.viewer, open, "en"))!.tax!.business_id;
    };
    expect(await asked("DE")).toMatchObject({ eu: true });
    expect(await asked("JP")).toEqual({ eu: false, example: "T1234567890123" });
    // No tax is owed there, so that an id changes nothing.
    expect(await asked("CH")).toBeNull();
    expect(await asked("US")).toBeNull();
  });
});

describe("numbers of invoices", () => {
  const numbers = async () => {
    const rows = await db.execute<{ number: number }>(
      sql`select number from tax_documents where series like 'I%' order by number`,
    );
    return rows.map(({ number }) => number);
  };

  it("have no gap when payments settle at once and one is rolled back", async () => {
    const orderIds: string[] = [];
    for (let count = 0; count < 6; count++) {
      const orderId = await sale.orderPlan(buyer, plan);
      await sale.openPayment(buyer, orderId, { immediate_delivery: false });
      orderIds.push(orderId);
    }
    const [before] = (await numbers()).slice(-1);
    const secrets = await db.execute<{ secret: string }>(sql`
      select s.client_secret as secret from sandbox_intents s join payments p on p.intent_id = s.id
      where p.order_id in ${orderIds}`);
    await Promise.all(secrets.map(({ secret }) => confirmSandboxIntent(secret, "succeeded", "card_DE")));
    const rolledBack = transaction(async (tx) => {
      const paid = orderIds[0]!;
      await lockOrder(tx, paid);
      await tx.execute(sql`update order_taxes set bps = 100 where order_id = ${paid}`);
      await issueTaxDocuments(tx, paid);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    const after = await numbers();
    expect(after).toEqual(after.map((_, index) => index + 1));
    expect(after.at(-1)).toBe((before ?? 0) + 6);
  });

  it("are issued once, however often the order is looked at", async () => {
    const orderId = await buy({ country: "DE", card: "DE" });
    const before = await sums(orderId);
    for (let count = 0; count < 3; count++)
      await transaction(async (tx) => {
        await lockOrder(tx, orderId);
        await issueTaxDocuments(tx, orderId);
      });
    expect(await sums(orderId)).toEqual(before);
    await expect(
      db.execute(sql`update tax_documents set gross_cents = 1 where order_id = ${orderId}`),
    ).rejects.toThrow();
  });
});

describe("the PDF of an invoice", () => {
  it("is the issued one in three languages, for a business and as a Japanese qualified invoice", async () => {
    const business = { order_id: await buy({ country: "DE", card: "DE", business: VAT_IDS.DE }), ...buyer };
    const japanese = await buy({ country: "JP", card: "JP" });
    for (const locale of ["en", "zh", "ja"] as const)
      for (const { order_id, viewer } of [business, { order_id: japanese, viewer: buyer.viewer }]) {
        const { file, fileName } = await getInvoice(viewer, { order_id }, locale);
        expect(fileName).toMatch(/^invoice-I\d{4}-\d{5}\.pdf$/);
        expect(file.subarray(0, 5).toString()).toBe("%PDF-");
      }
    const tax = (await findOrder(buyer.viewer, japanese, "ja"))!.tax!;
    const [content] = await db.execute<{ ids: string[]; local: { currency: string; tax_minor: number } }>(sql`
      select content->'seller'->'tax_ids' as ids, content->'local' as local from tax_documents where id = ${tax.documents[0]!.document_id}`);
    expect(content?.ids).toContain("T0000000000000");
    expect(content?.local).toMatchObject({ currency: "JPY" });
    const missing = await getInvoice(
      buyer.viewer,
      { order_id: japanese, document_id: "tax_missing" },
      "en",
    ).catch((error) => error);
    expect(isShopError(missing, "order_unknown")).toBe(true);
  });
});
