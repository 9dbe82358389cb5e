import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import {
  createMerchant,
  createMerchantInvite,
  createSales,
  createSeller,
  type Seller,
} from "@/db/factories/merchants";
import { createOrder } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { getProductPage } from "@/lib/catalog/product/find-product-page";
import { createChange } from "@/lib/merchants/changes/create-change";
import { getMerchantChange } from "@/lib/merchants/changes/get-merchant-change";
import { getMerchantProduct } from "@/lib/merchants/changes/get-merchant-product";
import { proposeChange } from "@/lib/merchants/changes/propose-change";
import type { TradeCheckInput } from "@/lib/merchants/console/contract-trade-files";
import { exportTradeFiles } from "@/lib/merchants/console/export-trade-files";
import { listTradeFiles } from "@/lib/merchants/console/list-trade-files";
import { askForTradeFields, checkTradeFile, getConsoleTradeFile } from "@/lib/merchants/console/trade-files";
import { findSellerPage } from "@/lib/merchants/seller/find-seller-page";
import { acceptInvite } from "@/lib/merchants/team/accept-invite";
import { TradeDetailsInput } from "@/lib/merchants/trade-file/contract";
import { declareTrade } from "@/lib/merchants/trade-file/declare";
import {
  addDocument,
  openDocument,
  removeDocument,
  resealDocuments,
} from "@/lib/merchants/trade-file/documents";
import { getTradeFile } from "@/lib/merchants/trade-file/get-trade-file";
import { TERMS_VERSION, TRADE_FIELDS } from "@/lib/merchants/trade-file/rules";
import { saveTradeDetails } from "@/lib/merchants/trade-file/save-details";
import { tradeFileHolds } from "@/lib/merchants/trade-file/trade-file-holds";
import { tradeFileMail } from "@/lib/merchants/trade-file/trade-file-mail";
import { watchTradeFiles } from "@/lib/merchants/trade-file/watch-trade-files";
import { readOrderSellers } from "@/lib/orders/emails/read-order-sellers";
import { env } from "@/lib/platform/env";
import { importCategory, importLines, planRecord, productRecord } from "@/tests/setup/catalog-import";
import { setClockAhead } from "../setup/sale";
import { createTradeFile } from "../setup/trade-file";

const DETAILS = {
  legal_name: "Alder Works GmbH",
  form: "company",
  register_name: "Handelsregister München",
  register_number: "HRB 271828",
  vat_id: "de 123456788",
  line1: "Musterstraße 1",
  city: "München",
  postal_code: "80331",
  country: "de",
  phone: "+49 89 999980",
  contact_name: "Mara Lind",
  contact_email: "contact@alder.example",
  representative: "Mara Lind",
};
const SECRET = "the owner's passport";
const PDF = Buffer.from(`%PDF-1.4\n${SECRET}\n%%EOF\n`);
async function* stream(content: Buffer) {
  yield content;
}
const QUERY = { kind: "identity", name: "passport.pdf" } as const;

let staff: StaffUser;
beforeAll(async () => {
  await importCategory();
  staff = await createStaff({ roles: ["finance"] });
});
afterEach(() => setClockAhead("0"));
afterAll(closeDatabase);

const owner = async (): Promise<Seller> => createSeller(await createMerchant());
const save = async ({ member }: Seller, fields: object = DETAILS) => {
  const { revision } = await getTradeFile(member);
  return saveTradeDetails(member, TradeDetailsInput.parse({ ...fields, revision }), "en");
};
const stateOf = async ({ member }: Seller, name: string) =>
  (await getTradeFile(member)).fields.find(({ field }) => field === name)?.state;
const mailsOf = async ({ email }: Seller) =>
  (
    await db.execute<{ kind: string }>(sql`
      select refs->>'kind' as kind from mails where to_address = ${email} and event = 'trade-file' order by created_at`)
  ).map(({ kind }) => kind);
const sellingOwner = async (): Promise<Seller & { productId: number }> => {
  const seller = await owner();
  const { id } = await createProduct({ merchantId: seller.merchant.id });
  await createTradeFile(seller.merchant, { without: ["address"] });
  return { ...seller, productId: id };
};
const isListed = async (id: number) =>
  (await db.execute<{ listed: boolean }>(sql`select listed from products where id = ${id}`))[0]!.listed;

it("a file is complete once details, a document and both declarations are given, and a changed field must be checked again", async () => {
  const seller = await owner();
  expect((await getTradeFile(seller.member)).missing).toEqual([...TRADE_FIELDS]);
  const saved = await save(seller);
  expect(saved.missing).toEqual(["documents", "certification", "terms"]);
  expect(saved.details).toMatchObject({ vat_id: "DE 123456788", country: "DE", phone: "+49 89 999980" });
  await addDocument(seller.member, QUERY, stream(PDF));
  await declareTrade(seller.member, { certification: true, terms_version: null }, "ja");
  const { state } = await declareTrade(
    seller.member,
    { certification: false, terms_version: TERMS_VERSION },
    "ja",
  );
  expect(state).toBe("unchecked");
  const [terms] = await db.execute<{ words: string; locale: string }>(sql`
    select value->>'words' as words, value->>'locale' as locale from merchant_trade_fields
    where merchant_id = ${seller.merchant.id} and field = 'terms'`);
  expect(terms).toMatchObject({ locale: "ja", words: expect.stringContaining("出品者規約") });

  const file = await getConsoleTradeFile(seller.merchant.id, "en");
  const document = file.documents[0]!.document_id;
  const fields = file.fields.flatMap(({ field }) =>
    field === "documents" || field === "certification" || field === "terms" ? [] : [field],
  );
  const check: TradeCheckInput = {
    fields,
    documents: [document],
    how: "register",
    note: "HRB 271828",
    version: file.version,
  };
  await checkTradeFile(staff.viewer, seller.merchant.id, check);
  expect(await getTradeFile(seller.member)).toMatchObject({ state: "complete" });
  const checked = (await getConsoleTradeFile(seller.merchant.id, "en")).fields[0]!;
  expect(checked).toMatchObject({ state: "checked", checked_how: "register", checked_by: staff.email });
  await expect(checkTradeFile(staff.viewer, seller.merchant.id, check)).rejects.toThrow("revision_conflict");

  await save(seller, { ...DETAILS, city: "Augsburg" });
  expect([await stateOf(seller, "address"), await stateOf(seller, "legal_name")]).toEqual([
    "given",
    "checked",
  ]);
});

it("invalid details are rejected by field, and a save of an outdated revision is rejected", async () => {
  const seller = await owner();
  const bad = {
    ...DETAILS,
    country: "XX",
    phone: "12",
    vat_id: "!",
    register_number: "",
    contact_email: null,
  };
  const refused = await save(seller, bad).catch((error: unknown) => error);
  expect(refused).toMatchObject({ error: "invalid_input" });
  expect((refused as { issues: { path: string }[] }).issues.map(({ path }) => path).sort()).toEqual([
    "contact_email",
    "country",
    "phone",
    "register_number",
    "vat_id",
  ]);
  await expect(save(seller, { ...DETAILS, form: "company", unregistered: true })).rejects.toThrow(
    "invalid_input",
  );
  const { revision } = await getTradeFile(seller.member);
  await save(seller);
  const late = saveTradeDetails(seller.member, TradeDetailsInput.parse({ ...DETAILS, revision }), "en");
  await expect(late).rejects.toThrow("revision_conflict");
  await expect(
    declareTrade(seller.member, { certification: false, terms_version: "2020-01" }, "en"),
  ).rejects.toThrow("terms_changed");
});

it("a document's type is found from its bytes, and it is stored encrypted and re-encrypted under a new vault key", async () => {
  const seller = await owner();
  for (const content of ["<html>", "%PDF-1.4 cut off", "GIF89a", "\u0089PNG"])
    await expect(addDocument(seller.member, QUERY, stream(Buffer.from(content)))).rejects.toThrow(
      "document_type",
    );
  const { documents } = await addDocument(seller.member, QUERY, stream(PDF));
  const { document_id: document } = documents[0]!;
  const dump = async () => {
    const rows = await db.execute<{ row: string }>(sql`
      select d::text || encode(d.sealed, 'escape') as row from merchant_documents d where id = ${document}
      union all select a::text from audit_entries a where a.subject = ${seller.merchant.id}`);
    return rows.map(({ row }) => row).join("\n");
  };
  expect(await dump()).not.toContain(SECRET);
  const { VAULT_KEY } = env();
  const id = { id: seller.merchant.id, document };
  try {
    Object.assign(env(), { VAULT_KEY: randomBytes(32).toString("base64"), VAULT_KEYS_OLD: [VAULT_KEY] });
    expect(await resealDocuments()).toBeGreaterThan(0);
    expect(await resealDocuments()).toBe(0);
    Object.assign(env(), { VAULT_KEYS_OLD: [] });
    expect((await openDocument(staff.viewer, id)).content.equals(PDF)).toBe(true);
  } finally {
    Object.assign(env(), { VAULT_KEYS_OLD: [env().VAULT_KEY], VAULT_KEY });
    await resealDocuments();
    Object.assign(env(), { VAULT_KEYS_OLD: [] });
  }
  expect(await dump()).not.toContain(SECRET);
  const opened = await db.execute(sql`
    select from audit_entries where subject = ${seller.merchant.id} and action = 'trade_file.document_opened' and actor = ${staff.id}
      and detail->>'document' = ${document}`);
  expect(opened).toHaveLength(1);
});

it("another merchant's document looks like an unknown one, and can be neither opened nor removed", async () => {
  const [seller, other] = [await owner(), await owner()];
  const { documents } = await addDocument(seller.member, QUERY, stream(PDF));
  const document = documents[0]!.document_id;
  for (const id of [document, "doc_unknown"]) {
    await expect(removeDocument(other.member, id)).rejects.toThrow("document_unknown");
    await expect(openDocument(staff.viewer, { id: other.merchant.id, document: id })).rejects.toThrow(
      "document_unknown",
    );
    const { version } = await getConsoleTradeFile(other.merchant.id, "en");
    const check: TradeCheckInput = { fields: [], documents: [id], how: "document", note: "Seen.", version };
    await save(other);
    const now = (await getConsoleTradeFile(other.merchant.id, "en")).version;
    await expect(checkTradeFile(staff.viewer, other.merchant.id, { ...check, version: now })).rejects.toThrow(
      "document_unknown",
    );
  }
  expect((await getTradeFile(other.member)).documents).toEqual([]);
  const { missing } = await removeDocument(seller.member, document);
  expect(missing).toContain("documents");
});

it("a field that staff request again with a reason becomes missing, and the owners are mailed", async () => {
  const seller = await owner();
  await createTradeFile(seller.merchant);
  const { version } = await getConsoleTradeFile(seller.merchant.id, "en");
  const ask = { fields: ["address" as const], documents: [], note: "Not that of the register.", version };
  await askForTradeFields(staff.viewer, seller.merchant.id, ask);
  const file = await getTradeFile(seller.member);
  expect(file.missing).toEqual(["address"]);
  expect(file.fields.find(({ field }) => field === "address")).toMatchObject({
    state: "missing",
    note: ask.note,
  });
  expect(await mailsOf(seller)).toEqual(["asked"]);
  const listed = await listTradeFiles({ state: "incomplete" });
  expect(listed.items.find(({ merchant_id }) => merchant_id === seller.merchant.id)).toMatchObject({
    missing: ["address"],
  });
});

it("a merchant with an incomplete file cannot propose or import new passes, but can change those that it sells", async () => {
  const merchant = await createMerchant();
  const seller = await createSeller(merchant);
  const line = productRecord({ plans: [planRecord({ price: 10 })] });
  await importLines([line]);
  const [product] = await db.execute<{ id: number }>(sql`
    update products set merchant_id = ${merchant.id} where slug = ${line.slug} returning id`);
  await createTradeFile(merchant, { without: ["phone"] });
  const own = await getMerchantProduct(seller.member, product!.id, "en");
  const draft = async (record: object, id: number | null = product!.id) => {
    const input = {
      product_id: id,
      base_revision: id === null ? 0 : own.revision,
      line: record,
      preview: false,
    };
    const saved = await createChange(seller.member, input as Parameters<typeof createChange>[1], "en");
    const { version } = await getMerchantChange(seller.member, saved.change_id!, "en");
    return () => proposeChange(seller.member, saved.change_id!, { version, locale: "en" });
  };
  const week = own.line.plans[0]!;
  const withNewPass = {
    ...own.line,
    plans: [week, { ...week, type: "month", duration_days: 30, price: 30 }],
  };
  const proposeNewPass = await draft(withNewPass);
  await expect(proposeNewPass()).rejects.toThrow("trade_file_incomplete");
  const proposePrice = await draft({ ...own.line, plans: [{ ...week, price: 11 }] });
  expect(await proposePrice()).toMatchObject({ state: "proposed" });

  await db.execute(
    sql`update merchants set handle = 'trade-vendor', name = 'Trade vendor' where id = ${merchant.id}`,
  );
  const added = productRecord({ vendor: "Trade vendor", plans: [planRecord({ price: 10 })] });
  const refused = await importLines([added]);
  expect(JSON.stringify(refused)).toContain("trade_file_incomplete");
  await save(seller);
  expect(await proposeNewPass()).toMatchObject({ state: "proposed" });
});

it("sales pause and payouts are held 30 days after the notice, and both end in the transaction that completes the file", async () => {
  const seller = await sellingOwner();
  const { id } = seller.merchant;
  const run = async (ahead: string) => {
    await setClockAhead(ahead);
    await watchTradeFiles();
    await watchTradeFiles(); // a second run changes nothing
    return { listed: await isListed(seller.productId), held: (await tradeFileHolds(id)) !== null };
  };
  expect(await run("0")).toEqual({ listed: true, held: false });
  expect(await mailsOf(seller)).toEqual(["notice"]);
  expect(await run("24 days")).toEqual({ listed: true, held: false });
  expect(await mailsOf(seller)).toEqual(["notice", "reminder"]);
  expect(await run("31 days")).toEqual({ listed: false, held: true });
  expect(await mailsOf(seller)).toEqual(["notice", "reminder", "held"]);
  expect(await tradeFileMail(id, { kind: "notice", fields: "address", note: "" })).toBeNull();
  const added = await createProduct({ merchantId: id });
  expect(await isListed(added.id)).toBe(false);
  await save(seller);
  expect([await isListed(seller.productId), await tradeFileHolds(id)]).toEqual([true, null]);
  expect(await mailsOf(seller)).toEqual(["notice", "reminder", "held", "released"]);
});

it("a pause by the owner continues after a hold ends", async () => {
  const seller = await sellingOwner();
  await watchTradeFiles();
  await setClockAhead("31 days");
  await watchTradeFiles();
  await db.execute(sql`update merchants set state = 'paused' where id = ${seller.merchant.id}`);
  await save(seller);
  expect(await isListed(seller.productId)).toBe(false);
  await db.execute(sql`update merchants set state = 'active' where id = ${seller.merchant.id}`);
  expect(await isListed(seller.productId)).toBe(true);
});

it("a run that was killed after any merchant continues with the others, and mails each once", async () => {
  const sellers = [await sellingOwner(), await sellingOwner(), await sellingOwner()];
  const settle = await import("@/lib/merchants/trade-file/settle-trade-file");
  const mail = settle.mailTradeFile;
  let calls = 0;
  const killed = vi.spyOn(settle, "mailTradeFile").mockImplementation(async (...mailed) => {
    calls += 1;
    if (calls === 2) throw new Error("killed");
    await mail(...mailed);
  });
  await expect(watchTradeFiles()).rejects.toThrow("killed");
  killed.mockRestore();
  await watchTradeFiles();
  await watchTradeFiles();
  for (const seller of sellers) expect(await mailsOf(seller)).toEqual(["notice"]);
});

it("a certification expires after a year: its owners are emailed before, then the notice begins", async () => {
  const seller = await owner();
  const { id: productId } = await createProduct({ merchantId: seller.merchant.id });
  await createTradeFile(seller.merchant, { without: ["certification"] });
  await declareTrade(seller.member, { certification: true, terms_version: null }, "en");
  await setClockAhead("340 days");
  await watchTradeFiles();
  expect(await mailsOf(seller)).toEqual(["expiring"]);
  await setClockAhead("366 days");
  await watchTradeFiles();
  expect([await mailsOf(seller), await stateOf(seller, "certification"), await isListed(productId)]).toEqual([
    ["expiring", "notice"],
    "expired",
    true,
  ]);
});

it("the shop requires a file from a merchant with an owner, and never from one that staff run", async () => {
  const merchant = await createMerchant({ state: "invited" });
  const { email, token } = await createMerchantInvite(merchant);
  const user = await createSignedInUser({ email });
  await acceptInvite(user.viewer, token);
  const [row] = await db.execute<{ asked: boolean }>(sql`
    select required_at is not null as asked from merchant_trade_files where merchant_id = ${merchant.id}`);
  expect(row).toEqual({ asked: true });
  const kept = await createMerchant();
  await createProduct({ merchantId: kept.id });
  await watchTradeFiles();
  await setClockAhead("40 days");
  await watchTradeFiles();
  expect(await tradeFileHolds(kept.id)).toBeNull();
});

it("the DAC7 report lists each seller's sales by quarter in cents, the DSA report identifies the seller, and neither contains a document", async () => {
  const seller = await sellingOwner();
  await save(seller);
  const product = await createProduct({ merchantId: seller.merchant.id, plans: [{}] });
  await createSales(seller, product.plans[0]!.id, 3);
  await db.execute(sql`
    update merchant_sales set sold_at = '2026-05-04', net_back_cents = 850, commission_back_cents = 150, refunded_units = 1, refunded_cents = 1000,
      state = 'refunded' where line_id = (select line_id from merchant_sales where merchant_id = ${seller.merchant.id} order by line_id limit 1)`);
  await db.execute(
    sql`update merchant_sales set sold_at = '2026-05-03' where merchant_id = ${seller.merchant.id} and state = 'sold'`,
  );
  const read = async (report: "dac7" | "dsa") => {
    const text = await new Response(await exportTradeFiles(staff.viewer, { report, year: 2026 })).text();
    const [head, ...rows] = text
      .trim()
      .split("\r\n")
      .map((row) => row.split(","));
    const row = rows.find(([id]) => id === seller.merchant.id)!;
    return Object.fromEntries(head!.map((name, index) => [name.replace("\ufeff", ""), row[index]]));
  };
  expect(await read("dac7")).toMatchObject({
    legal_name: "Alder Works GmbH",
    quarter: "2026-Q2",
    sales: "2",
    amount: "17",
    fees: "3",
    vat_id: "DE 123456788",
    country: "DE",
  });
  expect(await read("dsa")).toMatchObject({
    contact_email: "contact@alder.example",
    state: "unchecked",
    documents: "1",
  });
  const exported = await db.execute(
    sql`select from audit_entries where action = 'trade_files.exported' and actor = ${staff.id}`,
  );
  expect(exported).toHaveLength(2);
});

it("the seller page, the product page and order emails name the trader, unless the merchant has given no name", async () => {
  const seller = await owner();
  const product = await createProduct({ merchantId: seller.merchant.id, plans: [{}] });
  const buyer = await createSignedInUser();
  const order = await createOrder(buyer, product.plans[0]!.id, { status: "completed" });
  const page = async () =>
    (await findSellerPage(seller.merchant.handle, { sort: "recommend", page: 1, size: 10 }, "en"))?.seller
      .trader;
  const shown = async () => (await getProductPage({ id: product.id, locale: "en" })).seller;
  expect([await page(), await shown(), await readOrderSellers(order.id, "en")]).toEqual([
    null,
    expect.objectContaining({ legal_name: null, city: null }),
    [],
  ]);
  await save(seller);
  expect(await page()).toMatchObject({
    legal_name: "Alder Works GmbH",
    register: "Handelsregister München HRB 271828",
    vat_id: "DE 123456788",
    email: "contact@alder.example",
    certified: false,
  });
  expect(await shown()).toMatchObject({ legal_name: "Alder Works GmbH", city: "München" });
  const sellers = await readOrderSellers(order.id, "en");
  expect(sellers).toEqual([
    {
      name: "Alder Works GmbH",
      address: "Musterstraße 1, München, 80331, Germany",
      contact: "contact@alder.example",
    },
  ]);
});
