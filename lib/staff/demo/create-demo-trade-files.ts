import { sql } from "drizzle-orm";
import { db, shopNow, transaction } from "@/db/client";
import { merchantDocuments, merchantTradeFields, merchantTradeFiles } from "@/db/schema/merchants";
import { TERMS_VERSION, TYPED_FIELDS } from "@/lib/merchants/trade-file/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { sealBytes } from "@/lib/platform/crypto/vault";
import { consoleText } from "@/lib/platform/i18n/console-messages";
import { DEMO_SELLERS } from "@/lib/staff/demo/rules-sellers";

/** Places of the demo's invented merchants, by turns. Numbers are those reserved for fiction, or of no one. */
const PLACES = [
  {
    form: "GmbH",
    register: "Handelsregister München",
    number: "HRB 27",
    vat: "DE00",
    address: {
      line1: "Musterstraße",
      line2: "",
      city: "München",
      region: "",
      postal_code: "80331",
      country: "DE",
    },
    phone: "+49 89 99998",
    representative: "Mara Lindqvist",
  },
  {
    form: "Ltd",
    register: "Companies House",
    number: "0999",
    vat: "GB00",
    address: {
      line1: "Example Row",
      line2: "",
      city: "Leeds",
      region: "",
      postal_code: "LS1 4AP",
      country: "GB",
    },
    phone: "+44 113 4960",
    representative: "Tom Ashdown",
  },
  {
    form: "K.K.",
    register: "東京法務局",
    number: "0100-01-99",
    vat: "T0000",
    address: {
      line1: "Kandacho",
      line2: "Sample Building",
      city: "Chiyoda-ku",
      region: "Tokyo",
      postal_code: "101-0001",
      country: "JP",
    },
    phone: "+81 3 5550",
    representative: "Aoi Minase",
  },
  {
    form: "LLC",
    register: "Delaware Division of Corporations",
    number: "77",
    vat: "",
    address: {
      line1: "Sample Avenue",
      line2: "Suite 4",
      city: "Wilmington",
      region: "DE",
      postal_code: "19801",
      country: "US",
    },
    phone: "+1 302 55501",
    representative: "June Abara",
  },
] as const;

/** A document of one line, as a register's extract would be. */
const pdfOf = (line: string): Buffer => {
  const text = `BT /F1 14 Tf 40 780 Td (${line.replace(/[^ -~]|[()\\]/g, " ")}) Tj ET`;
  const parts = [
    "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj",
    `4 0 obj<</Length ${text.length}>>stream\n${text}\nendstream endobj`,
    "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj",
    "trailer<</Root 1 0 R>>",
  ];
  return Buffer.from(`%PDF-1.4\n${parts.join("\n")}\n%%EOF\n`, "latin1");
};

type Merchant = { id: string; name: string; handle: string; owned: boolean };

/** Gives each merchant of the demo that has no trader file, and its sellers, a complete one, checked by staff. All of it is invented. */
export async function createDemoTradeFiles(): Promise<void> {
  const merchants = await db.execute<Merchant>(sql`
    select m.id, m.name, m.handle, exists (select from merchant_members x where x.merchant_id = m.id and x.ended_at is null) as owned
    from merchants m left join merchant_trade_files f on f.merchant_id = m.id
    where f.merchant_id is null or (f.revision = 0 and m.handle = any(${sql.param(DEMO_SELLERS.map(({ merchant }) => merchant))}::text[]))
    order by m.handle`);
  const words = {
    certification: await consoleText("en", "console.trade_words.certification"),
    terms: await consoleText("en", "console.trade_words.terms"),
  };
  for (const [index, merchant] of merchants.entries()) await createFile(merchant, index, words);
}

async function createFile(
  { id: merchantId, name, handle, owned }: Merchant,
  index: number,
  words: { certification: string; terms: string },
): Promise<void> {
  const place = PLACES[index % PLACES.length]!;
  const legalName = `${name} ${place.form}`;
  const digits = String(1000 + index);
  const tax = {
    vat_id: place.vat && `${place.vat}${digits}00`.slice(0, 14),
    tax_id: place.vat ? "" : `00-000${digits}`,
  };
  const values = {
    legal_name: legalName,
    form: "company",
    register: { name: place.register, number: `${place.number}${digits}` },
    tax,
    address: { ...place.address, line1: `${place.address.line1} ${(index % 90) + 1}` },
    phone: `${place.phone}${digits.slice(1)}`,
    contact: { name: place.representative, email: `contact@${handle.slice(0, 50)}.example` },
    representative: place.representative,
  } satisfies Record<(typeof TYPED_FIELDS)[number], unknown>;
  const documentId = newId("doc");
  const content = pdfOf(`Register extract of ${legalName} (invented for the demo)`);
  const note = "Invented for the demo.";
  const given = { givenAt: shopNow, givenBy: "system" };
  const checked = { checkedAt: shopNow, checkedBy: "system", note };
  await transaction(async (tx) => {
    const file = { requiredAt: owned ? shopNow : null, state: "complete" as const, missing: [], revision: 1 };
    await tx
      .insert(merchantTradeFiles)
      .values({ merchantId, ...file })
      .onConflictDoUpdate({
        target: merchantTradeFiles.merchantId,
        set: { ...file, noticedAt: null, dueAt: null },
      });
    await tx.insert(merchantTradeFields).values([
      ...TYPED_FIELDS.map((field) => ({
        merchantId,
        field,
        value: values[field],
        ...given,
        ...checked,
        checkedHow: "register" as const,
      })),
      {
        merchantId,
        field: "certification" as const,
        value: { words: words.certification, locale: "en" },
        ...given,
      },
      {
        merchantId,
        field: "terms" as const,
        value: { version: TERMS_VERSION, words: words.terms, locale: "en" },
        ...given,
      },
    ]);
    await tx.insert(merchantDocuments).values({
      id: documentId,
      merchantId,
      kind: "register_extract",
      name: "register-extract.pdf",
      mediaType: "application/pdf",
      bytes: content.length,
      ...sealBytes(documentId, content),
      state: "checked",
      givenBy: "system",
      ...checked,
    });
  });
}
