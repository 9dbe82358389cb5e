import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { type CreatedProduct, createKeys, createProduct } from "@/db/factories/catalog";
import { renewFingerprints } from "@/lib/delivery/fingerprints/renew-fingerprints";
import { importKeyList, importKeys } from "@/lib/delivery/import/import-keys";
import type { KeyImportError } from "@/lib/delivery/import/import-options";
import { normalizeKey } from "@/lib/delivery/rules";
import { fingerprint, seal, unseal } from "@/lib/platform/crypto/vault";

afterAll(closeDatabase);

const createTestProduct = () => createProduct({ plans: [{ type: "day" }] });
async function importCodes(product: CreatedProduct, codes: string[]) {
  const refusals: KeyImportError[] = [];
  const lines = codes.map((code) => `${product.slug},day,"${code}"`).join("\n");
  const counts = await importKeys(Readable.from([Buffer.from(`product,plan,key\n${lines}\n`)]), {
    onRefused: (refusal) => refusals.push(refusal),
    onStock: async () => {},
  });
  return { ...counts, refusals };
}
const listCodes = async ({ plans }: CreatedProduct) => {
  const rows = await db.execute<{ id: string; sealed: Buffer; vaultKeyId: string }>(
    sql`select id, sealed, vault_key_id as "vaultKeyId" from keys where plan_id = ${plans[0]!.id}`,
  );
  return rows.map((row) => unseal(row.id, row));
};

/** A key as it was stored before hyphens were folded. */
async function createFormerKey({ plans }: CreatedProduct, text: string): Promise<string> {
  await createKeys(plans[0]!.id, 1);
  const [row] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${plans[0]!.id} order by created_at desc, id desc limit 1`,
  );
  const { id } = row!;
  const former = fingerprint(text.normalize("NFKC").replace(/\s+/gu, "").toUpperCase());
  await db.execute(sql`update keys set fingerprint = ${former}, letters_hash = null,
    sealed = decode(${seal(id, text).sealed.toString("base64")}, 'base64') where id = ${id}`);
  return id;
}
const stateOf = async (id: string) => {
  const [row] = await db.execute<{ state: string; print: string; renewed: boolean }>(
    sql`select state, fingerprint as print, letters_hash is not null as renewed from keys where id = ${id}`,
  );
  return row!;
};

describe("the canonical form of codes", () => {
  const spellings = [
    ["an en dash", "DASH\u2013A5N72V\u2013X1"],
    ["a minus sign", "DASH\u2212A5N72V\u2212X1"],
    ["a non-breaking hyphen", "DASH\u2011A5N72V\u2011X1"],
    ["different hyphens", "DASH\u2014A5N72V\u2010X1"],
    ["a zero-width space", "DASH-A5N\u200b72V-X1"],
    ["a byte order mark", "\ufeffDASH-A5N72V-X1"],
    ["a soft hyphen", "DASH-\u00adA5N72V-X1"],
    ["a direction mark", "DASH-A5N72V-X1\u200e"],
    ["curly quotation marks around it", "“DASH-A5N72V-X1”"],
    ["an apostrophe before it", "'DASH-A5N72V-X1"],
    ["full-width letters and small ones", "ｄａｓｈ－Ａ５Ｎ７２Ｖ－Ｘ１"],
  ] as const;
  it.each(spellings)("is the same with %s, in a file and in a list", async (_, spelling) => {
    const product = await createTestProduct();
    const mark = product.slug.replace(/[^a-z0-9]/g, "");
    const codes = ["DASH-A5N72V-X1", spelling].map((code) => code.replace(/X1|Ｘ１/, `X1${mark}`));
    expect(await importCodes(product, codes)).toMatchObject({
      added: 1,
      refused: 1,
      refusals: [{ line: 3, error: "key_repeated", values: { line: 2 } }],
    });
    const list = { planId: product.plans[0]!.id, keys: [codes[1]!], redeemBy: null };
    expect(await importKeyList(list, { onStock: async () => {} })).toMatchObject({ added: 0, unchanged: 1 });
  });

  it("keeps codes apart that have hyphens in other places, other letters or other marks", () => {
    const codes = ["AB-CD1234", "ABC-D1234", "ABCD1234", "AB_CD1234", "AB-CD1235"];
    expect(new Set(codes.map(normalizeKey)).size).toBe(codes.length);
  });

  it("leaves the buyer's code as it was imported, except for invisible characters", async () => {
    const product = await createTestProduct();
    await importCodes(product, ["\ufeffdash–Q7N\u200b72V–x2"]);
    expect(await listCodes(product)).toEqual(["dash–Q7N72V–x2"]);
  });
});

describe("fingerprints of the former form", () => {
  it("are matched by imports before and after they are renewed", async () => {
    const product = await createTestProduct();
    const id = await createFormerKey(product, "FORM\u2013A5N72V\u2013X1");
    const again = () => importCodes(product, ["FORM-A5N72V-X1"]);
    expect(await again()).toMatchObject({ added: 0, unchanged: 1, refused: 0 });
    expect(await renewFingerprints()).toMatchObject({ renewed: 1, repeated: 0 });
    expect(await stateOf(id)).toMatchObject({ print: fingerprint("FORM-A5N72V-X1"), renewed: true });
    expect(await again()).toMatchObject({ added: 0, unchanged: 1, refused: 0 });
    expect(await listCodes(product)).toEqual(["FORM\u2013A5N72V\u2013X1"]);
  });

  it("are renewed once each in small batches, by concurrent runs and after an interruption", async () => {
    const product = await createTestProduct();
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push(await createFormerKey(product, `MANY\u2013A5N72V\u2013${i}`));
    const runs = await Promise.all([renewFingerprints({ batch: 3 }), renewFingerprints({ batch: 5 })]);
    const later = await renewFingerprints({ batch: 4 });
    expect([...runs, later].reduce((sum, { renewed }) => sum + renewed, 0)).toBe(12);
    for (const [i, id] of ids.entries())
      expect(await stateOf(id)).toMatchObject({ print: fingerprint(`MANY-A5N72V-${i}`), renewed: true });
    expect(await renewFingerprints()).toEqual({ renewed: 0, repeated: 0 });
  });

  it("of one code in two keys leave one of them for sale, and the audit log names both", async () => {
    const product = await createTestProduct();
    const ids = [
      await createFormerKey(product, "TWIN\u2013A5N72V\u2013X1"),
      await createFormerKey(product, "TWIN\u2212A5N72V\u2212X1"),
    ];
    expect(await renewFingerprints()).toEqual({ renewed: 1, repeated: 1 });
    const states = await Promise.all(ids.map(stateOf));
    expect(states.map(({ state }) => state).sort()).toEqual(["available", "revoked"]);
    const entries = await db.execute<{ subject: string; revoked: string }>(sql`
      select subject, detail->>'withdrawn' as revoked from audit_entries
      where action = 'key.repeated' and subject = any(${sql.param(ids)}::text[])`);
    expect(entries).toHaveLength(1);
    expect(ids).toContain(entries[0]!.revoked);
    expect(await renewFingerprints()).toEqual({ renewed: 0, repeated: 0 });
  });

  it("skip keys whose text cannot be decrypted", async () => {
    const product = await createTestProduct();
    const broken = await createFormerKey(product, "BROKEN-A5N72V-X1");
    await db.execute(sql`update keys set sealed = '\\x00' where id = ${broken}`);
    const fine = await createFormerKey(product, "FINE\u2013A5N72V\u2013X1");
    expect(await renewFingerprints({ batch: 1 })).toEqual({ renewed: 1, repeated: 0 });
    expect(await stateOf(broken)).toMatchObject({ renewed: false });
    expect(await stateOf(fine)).toMatchObject({ renewed: true });
    await db.execute(sql`update keys set letters_hash = 0 where id = ${broken}`);
  });
});
