import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { products } from "@/db/schema/catalog";
import { importKeys } from "@/lib/delivery/import/import-keys";
import type { KeyImportCounts, KeyImportError } from "@/lib/delivery/import/import-options";
import { decodeText, LINE_END } from "@/lib/platform/content/encoding";
import { unseal } from "@/lib/platform/crypto/vault";

afterAll(closeDatabase);

type Outcome = KeyImportCounts & { refusals: KeyImportError[]; stocked: number[] };

async function importText(
  text: string | Readable,
  preview = false,
  { confirmHeld = false } = {},
): Promise<Outcome> {
  const refusals: KeyImportError[] = [];
  const stocked: number[] = [];
  const counts = await importKeys(typeof text === "string" ? Readable.from([Buffer.from(text)]) : text, {
    preview,
    confirmHeld,
    onRefused: (refusal) => refusals.push(refusal),
    onStock: async (tx, planIds) => {
      await tx.execute("select 1"); // runs inside the import's transaction
      stocked.push(...planIds);
    },
  });
  return { ...counts, refusals, stocked };
}

const HEADER = "product,plan,key,redeem_by\n";
const NEXT_YEAR = new Date().getFullYear() + 1;
const createTestProduct = () =>
  createProduct({
    plans: [{ type: "day" }, { type: "day", days: 3 }, { type: "lifetime" }, { type: "month" }],
  });
const listKeys = async (product: CreatedProduct) =>
  client()<{ id: string; plan_id: number; sealed: Buffer; vault_key_id: string; redeem_by: string | null }[]>`
    select id, plan_id, sealed, vault_key_id, redeem_by from keys where plan_id in ${client()(product.plans.map(({ id }) => id))}`;

describe("a key import", () => {
  it("encrypts each key unchanged in its row, with its first custody event", async () => {
    const product = await createTestProduct();
    const lines = [
      `${product.slug},day,Ab-1234 cd ,`,
      `${product.slug},day:3,"quoted,key-1",${NEXT_YEAR}-06-30`,
      `${product.slug},lifetime,終身-ライセンス鍵,`,
      `${product.slug},month:30,M-30-X-LIVE,`,
    ];
    const result = await importText(HEADER + lines.join("\r\n"));
    expect(result).toMatchObject({ added: 4, unchanged: 0, refused: 0 });
    const [day, threeDays, lifetime, month] = product.plans.map(({ id }) => id);
    expect(result.stocked).toEqual([day, threeDays, lifetime, month]);
    const rows = await listKeys(product);
    const plainTexts = Object.fromEntries(
      rows.map((row) => [row.plan_id, unseal(row.id, { sealed: row.sealed, vaultKeyId: row.vault_key_id })]),
    );
    expect(plainTexts).toEqual({
      [day!]: "Ab-1234 cd",
      [threeDays!]: "quoted,key-1",
      [lifetime!]: "終身-ライセンス鍵",
      [month!]: "M-30-X-LIVE",
    });
    expect(new Date(rows.find(({ plan_id }) => plan_id === threeDays)!.redeem_by!).toISOString()).toBe(
      `${NEXT_YEAR}-06-30T23:59:59.000Z`,
    );
    const events =
      await client()`select event, actor from key_events where key_id in ${client()(rows.map(({ id }) => id))}`;
    expect([...events]).toEqual(Array(4).fill({ event: "imported", actor: "import" }));
    expect(rows.some(({ sealed }) => sealed.includes("quoted") || sealed.includes("M-30"))).toBe(false);
  });

  it("changes nothing when repeated or previewed", async () => {
    const product = await createTestProduct();
    const text =
      HEADER + Array.from({ length: 1200 }, (_, i) => `${product.slug},day,AGAIN-KEYS-${i}`).join(",\n");
    const preview = await importText(text, true);
    expect(preview).toMatchObject({ added: 1200, unchanged: 0, refused: 0, stocked: [] });
    expect(await listKeys(product)).toHaveLength(0);
    expect(await importText(text)).toMatchObject({ added: 1200, unchanged: 0, refused: 0 });
    const before = await listKeys(product);
    expect(await importText(text)).toMatchObject({ added: 0, unchanged: 1200, refused: 0, stocked: [] });
    expect(await listKeys(product)).toEqual(before);
  });

  const spellings: [string, string][] = [
    ["the same", "SAME-KEY-1234"],
    ["lower case", "same-key-1234"],
    ["spaces inside", "SAME -KEY- 12 34"],
    ["a tab and a no-break space", "SAME-\u00a0KEY-\t1234"],
    ["full width", "ＳＡＭＥ－ＫＥＹ－１２３４"],
    ["full-width space", "SAME-KEY\u3000-1234"],
  ];
  it.each(spellings)("rejects a key that is already imported: %s", async (_, spelling) => {
    const [first, second] = [await createTestProduct(), await createTestProduct()];
    await importText(`${HEADER}${first.slug},day,SAME-KEY-1234,\n`);
    const [{ n: before }] = (await client()`select count(*)::int as n from keys`) as unknown as [
      { n: number },
    ];
    const repeated = await importText(`${HEADER}${second.slug},day,"${spelling}",\n`);
    expect(repeated).toMatchObject({ added: 0, unchanged: 0, refused: 1 });
    expect(repeated.refusals).toMatchObject([{ line: 2, message: "The code is already imported." }]);
    expect(await client()`select count(*)::int as n from keys`).toEqual([{ n: before }]);
  });

  it("rejects a repeated key within the file, in a second import too", async () => {
    const product = await createTestProduct();
    const text = `${HEADER}${product.slug},day,TWICE-ONCE-1,\n${product.slug},day:3,twice-once-1,\n`;
    const refusals = [
      { line: 3, error: "key_repeated", values: { line: 2 }, message: "The code repeats that of line 2." },
    ];
    expect(await importText(text)).toMatchObject({ added: 1, unchanged: 0, refused: 1, refusals });
    expect(await importText(text)).toMatchObject({ added: 0, unchanged: 1, refused: 1, refusals });
  });

  it("stores each key once when 4 imports run at once", async () => {
    const product = await createTestProduct();
    const lines = Array.from({ length: 800 }, (_, i) => `${product.slug},month,RACE-KEYS-${i},`);
    const results = await Promise.all(
      [1, 2, 3, 4].map((n) => importText(HEADER + (n % 2 ? lines : [...lines].reverse()).join("\n"))),
    );
    expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(800);
    expect(await listKeys(product)).toHaveLength(800);
  });
});

describe("rejected lines", () => {
  it("are reported by number without their content, and the other lines are imported", async () => {
    const product = await createTestProduct();
    const secret = "TOP-SECRET-9876";
    const lines = [
      `nowhere,day,${secret}1,`,
      `${product.slug},week,${secret}2,`,
      `${product.slug},fortnight,${secret}3,`,
      `${product.slug},lifetime:7,${secret}4,`,
      `${product.slug},day,abc,`,
      `${product.slug},day,${secret}${"x".repeat(500)},`,
      `${product.slug},day,${secret}5,31.12.${NEXT_YEAR}`,
      `${product.slug},day,${secret}6,${NEXT_YEAR}-02-30`,
      `${product.slug},day,${secret}7,2020-01-01`,
      `${product.slug},day,"${secret}8`,
      `${product.slug},day,${secret}9,,x`,
      `${secret},${product.slug},day,`,
      `${product.slug},day,${secret}\u0007,`,
      `${product.slug},day,${secret}\ufffd11,`,
      `,day,${secret}10,`,
      `${product.slug},day,${secret}11,`,
    ];
    const result = await importText(HEADER + lines.join("\n"));
    expect(result).toMatchObject({ added: 1, unchanged: 0, refused: 15 });
    expect(result.refusals.map(({ line }) => line)).toEqual(
      expect.arrayContaining(Array.from({ length: 15 }, (_, i) => i + 2)),
    );
    expect(JSON.stringify(result.refusals)).not.toMatch(/SECRET|9876/);
  });

  it.each(["", "sku\n", `x,day,KEY-IN-THE-HEADER\n`])("include an invalid header: %j", async (text) => {
    const result = await importText(text);
    expect(result.added).toBe(0);
    if (text)
      expect(result.refusals).toMatchObject([
        { line: 1, message: expect.stringMatching(/product,plan,key/) },
      ]);
  });

  it("do not shift the numbers of later lines", async () => {
    const product = await createTestProduct();
    const text = `${HEADER}\n${product.slug},day,"open\n${product.slug},day,FINE-1234,\nnowhere,day,FINE-1235,`;
    expect(await importText(text)).toMatchObject({
      added: 1,
      refused: 2,
      refusals: [{ line: 3 }, { line: 5 }],
    });
  });
});

describe("codes from a spreadsheet", () => {
  it("are refused when it has changed them, and held when it may have, until someone confirms them", async () => {
    const product = await createTestProduct();
    const damaged = ["1.23457E+15", '"1,23E+10"', "#REF!", "#NAME?", "#N/A", "######", "5-Mar"];
    const held = ["2029-03-05", "1234567890123450", "12345678.9012"];
    const fine = ["219E01BE", "000123456789012", "-ABCD-EFGH"];
    const text =
      HEADER + [...damaged, ...held, ...fine].map((code) => `${product.slug},day,${code},`).join("\n");
    for (const isPreview of [true, false]) {
      const { refusals, ...counts } = await importText(text, isPreview);
      expect(counts).toMatchObject({ added: 3, refused: 10 });
      const names = refusals.sort((a, b) => a.line - b.line).map(({ error }) => error);
      expect(names).toEqual([...damaged.map(() => "code_spreadsheet"), ...held.map(() => "code_held")]);
    }
    expect(await importText(text, false, { confirmHeld: true })).toMatchObject({
      added: 3,
      unchanged: 3,
      refused: 7,
    });
    expect(await listKeys(product)).toHaveLength(6);
  });
});

describe("a code in an import", () => {
  const none = [
    "anna.miller@example.com",
    "https://example.com/redeem/1234-ABCD",
    "www.example.com",
    "example.com/redeem",
    "PL-2611-0042",
    "pl26110042",
    "192.168.100.101",
  ];
  const weak = [
    "password",
    "AB-12",
    "DOCUMENTATION",
    "２６１１－００４２",
    "12 Market Street",
    "thank-you very much",
    "終身-鍵",
  ];
  const codes = ["-ABCD-JKLM", "219E01CD", "ABCD EFGH 1234", "AB12.CDEF", "abcdefgh1", "ライセンス鍵-二千"];

  it.each([true, false])(
    "has eight letters or digits, with a digit or groups; preview: %s",
    async (preview) => {
      const product = await createTestProduct();
      const text =
        HEADER + [...none, ...weak, ...codes].map((code) => `${product.slug},day,${code},`).join("\n");
      const { refusals, added } = await importText(text, preview);
      const refused = refusals.sort((a, b) => a.line - b.line).map(({ line, error }) => [line - 2, error]);
      expect(refused).toEqual(
        [...none.map(() => "key_none"), ...weak.map(() => "key_weak")].map((error, at) => [at, error]),
      );
      expect(added).toBe(codes.length);
    },
  );

  it("may be a word or a number when the product has such codes, but never an address", async () => {
    const product = await createTestProduct();
    await db.update(products).set({ weakKeys: true }).where(eq(products.id, product.id));
    const own = weak.map((code) => `${code} ${product.slug.replaceAll("-", "")}`.slice(0, 40));
    const text = HEADER + [...own, ...none].map((code) => `${product.slug},day,${code},`).join("\n");
    expect(await importText(text)).toMatchObject({ added: own.length, refused: none.length });
  });
});

describe("files exported from spreadsheets", () => {
  const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  const sheets: [string, (rows: string[][]) => Buffer | string][] = [
    ["semicolons", (rows) => rows.map((row) => row.join(";")).join("\r\n")],
    ["tabs", (rows) => rows.map((row) => row.join("\t")).join("\r\n")],
    ["quoted fields between tabs", (rows) => rows.map((row) => `"${row.join('"\t"')}"`).join("\n")],
    ["bars", (rows) => rows.map((row) => row.join("|")).join("\n")],
    ["a declared comma", (rows) => `sep=,\r\n${rows.map((row) => row.join(",")).join("\r\n")}`],
    ["a declared semicolon in quotes", (rows) => `"sep=;"\n${rows.map((row) => row.join(";")).join("\n")}`],
    ["blank columns at the end", (rows) => rows.map((row) => `${row.join(",")},,,`).join("\n")],
    ["cleared rows", (rows) => rows.map((row) => `,,,\n;;;\n"",""\n${row.join(",")}`).join("\n")],
    ["returns alone, as old Macs write them", (rows) => rows.map((row) => row.join(",")).join("\r")],
    [
      "UTF-16 LE",
      (rows) => Buffer.from(`\ufeff${rows.map((row) => row.join("\t")).join("\r\n")}`, "utf16le"),
    ],
    [
      "UTF-16 LE without a mark",
      (rows) => Buffer.from(rows.map((row) => row.join(";")).join("\n"), "utf16le"),
    ],
    ["UTF-16 BE", (rows) => utf16be(rows.map((row) => row.join(",")).join("\r\n"))],
    ["codes as formulas of text", (rows) => rows.map(([a, b, c]) => `${a};${b};="${c}"`).join("\n")],
  ];
  it.each(sheets)("with %s are read in chunks of any size with unchanged line numbers", async (_, write) => {
    const product = await createTestProduct();
    const file = Buffer.from(
      write([
        ["product", "plan", "key"],
        [product.slug, "day", `0001-${product.slug}`],
        [product.slug, "fortnight", `0002-${product.slug}`],
      ]),
    );
    for (const size of [1, 7, 64_000]) {
      const chunks = Array.from({ length: Math.ceil(file.length / size) }, (_, i) =>
        file.subarray(i * size, (i + 1) * size),
      );
      const result = await importText(Readable.from(chunks), true);
      expect(result).toMatchObject({ added: 1, refused: 1, refusals: [{ error: "key_plan" }] });
      const { line } = result.refusals[0]!;
      const text = decodeText(file).split(LINE_END);
      expect(text[line - 1]).toContain("fortnight");
    }
    await importText(Readable.from([file]));
    const [row] = await listKeys(product);
    expect(unseal(row!.id, { sealed: row!.sealed, vaultKeyId: row!.vault_key_id })).toBe(
      `0001-${product.slug}`,
    );
  });

  it.each([
    ["product,plan,key,note", "Column 4 of the first line"],
    ["product;plan;;key", "Column 3 of the first line"],
    ["product,plan,code", "Column 3 of the first line"],
    ["product\tkey", "The first line lacks the columns: plan."],
    ["plan_id,redeem_by", "The first line lacks the columns: key."],
    ["key,product,plan,key", "names the column key twice"],
    ["plan_id,product,key", "either by plan_id, or by product and plan"],
    ["FIRST-CODE-1234;SECOND-CODE-1234", "The first line must name the columns"],
  ])("whose first line is %s are refused with the true reason", async (header, expected) => {
    const { refusals, added } = await importText(`${header}\nx,day,ABCD-1234\n`);
    expect(added).toBe(0);
    expect(refusals).toMatchObject([{ line: 1, message: expect.stringContaining(expected) }]);
    expect(JSON.stringify(refusals)).not.toContain("CODE-1234");
  });
});

describe("a code that expires too soon after its sale", () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  it("is refused by line with the margin of its plan, while a longer one of the same file is imported", async () => {
    const { slug, plans } = await createProduct({
      plans: [{ type: "month" }, { type: "week" }, { type: "year", redeemMarginDays: 3 }],
    });
    const rows = [
      ["month", day(12)],
      ["month", day(15)],
      ["week", day(13)],
      ["year", day(2)],
      ["year", day(4)],
      ["month", ""],
    ];
    const lines = rows.map(([plan, until], index) => `${slug},${plan},SOON-${index}-${slug}-7,${until}`);
    const text = HEADER + lines.join("\n");
    for (const preview of [true, false]) {
      const result = await importText(text, preview);
      expect(result).toMatchObject({ added: 3, refused: 3 });
      expect(result.refusals.map(({ line, error, values }) => [line, error, values?.days])).toEqual([
        [2, "key_redeem_soon", 14],
        [4, "key_redeem_soon", 14],
        [5, "key_redeem_soon", 3],
      ]);
    }
    expect(plans).toHaveLength(3);
  });
});
