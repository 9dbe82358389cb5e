import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { hasFormerFingerprints, printsOfKey } from "@/lib/delivery/fingerprints/key-prints";
import { lettersOfKey, MASKED_CODE } from "@/lib/delivery/rules";
import { shortFingerprint } from "@/lib/platform/crypto/vault";
import { ShopError } from "@/lib/platform/errors";
import { CODE_SHAPED, type Part, partsOf } from "./code-shaped-parts";

/**
 * The codes with which a text is compared:
 * - `merchantId`, a text of a merchant: all codes of this merchant, in any spelling. It must not learn whether a text is a code of
 *   another one.
 * - `shopperId`, a text of a shopper: all codes sold to this person or in this order, and those that the merchants of the order
 *   or the product sold if they look like codes.
 * - otherwise a text of the shop's own staff, who see all codes of the shop and whose texts are mailed and published: all codes
 *   that were sold if they look like codes, and all of this order.
 * Only the holder of a code can write it, so these sets miss none; and a merchant's codes that are words or names forbid them to
 * no one but its own buyers.
 */
export type CodeScope =
  | { merchantId: string }
  | { shopperId: string; orderId: string }
  | { shopperId: string; productId: number }
  | { orderId?: string };

type Text = { text: string; scope: CodeScope };
type FoundKey = {
  fingerprint: string;
  letters: string | null;
  sold: boolean;
  order_id: string | null;
  buyer: string | null;
  merchant_id: string | null;
};

/** The parts of each text that are activation codes, as they are written. */
async function findCodes(tx: Db, texts: readonly Text[]): Promise<string[][]> {
  const partsOfTexts = texts.map(({ text, scope }) => {
    const isOpen = !("merchantId" in scope || "shopperId" in scope || scope.orderId);
    return partsOf(text, isOpen);
  });
  const parts = new Map(partsOfTexts.flat().map((part) => [part.text, part]));
  if (parts.size === 0) return texts.map(() => []);
  const byPrint = new Map<string, string[]>();
  const add = (print: string, text: string) => byPrint.set(print, [...(byPrint.get(print) ?? []), text]);
  const former = await hasFormerFingerprints(tx);
  for (const { text, letters } of parts.values()) {
    add(String(shortFingerprint(letters)), text);
    if (former) for (const print of printsOfKey(text, { former })) add(print, text);
  }
  const prints = sql.param([...byPrint.keys()].filter((print) => former && print.length > 20));
  const letters = sql.param([...byPrint.keys()].filter((print) => print.length <= 20));
  const keys = await tx.execute<FoundKey>(sql`
    select k.fingerprint, k.letters_hash::text as letters, k.order_line_id is not null and k.state <> 'reserved' as sold,
      l.order_id, o.user_id as buyer, p.merchant_id
    from keys k join plans pl on pl.id = k.plan_id join products p on p.id = pl.product_id
    left join order_lines l on l.id = k.order_line_id left join orders o on o.id = l.order_id
    where k.letters_hash = any(${letters}::bigint[]) or k.fingerprint = any(${prints}::text[])`);
  if (keys.length === 0) return texts.map(() => []);
  const found = new Map<string, FoundKey[]>();
  for (const key of keys)
    for (const text of byPrint.get(key.letters ?? key.fingerprint) ?? [])
      found.set(text, [...(found.get(text) ?? []), key]);
  const sellers = await findSellers(tx, texts);
  return texts.map(({ scope }, i) =>
    partsOfTexts[i]!.filter((part) =>
      found.get(part.text)?.some((key) => isCodeOf(scope, key, part, sellers)),
    ).map(({ text }) => text),
  );
}

type Sellers = { order_id: string | null; product_id: number; merchant_id: string }[];

/** The merchants of the orders and products about which shoppers wrote. */
async function findSellers(tx: Db, texts: readonly Text[]): Promise<Sellers> {
  const scopes = texts.flatMap(({ scope }) => ("shopperId" in scope ? [scope] : []));
  const orders = [...new Set(scopes.flatMap((scope) => ("orderId" in scope ? [scope.orderId] : [])))];
  const products = [...new Set(scopes.flatMap((scope) => ("productId" in scope ? [scope.productId] : [])))];
  if (orders.length + products.length === 0) return [];
  const rows = await tx.execute<Sellers[number]>(sql`
    select l.order_id, p.id as product_id, p.merchant_id from order_lines l join products p on p.id = l.product_id
    where l.order_id = any(${sql.param(orders)}::text[]) and p.merchant_id is not null
    union all
    select null, p.id, p.merchant_id from products p
    where p.id = any(${sql.param(products)}::int[]) and p.merchant_id is not null`);
  return [...rows];
}

function isCodeOf(scope: CodeScope, key: FoundKey, { shaped }: Part, sellers: Sellers): boolean {
  if ("merchantId" in scope) return key.merchant_id === scope.merchantId;
  if (!key.sold) return false;
  const isOfOrder = "orderId" in scope && scope.orderId !== undefined && key.order_id === scope.orderId;
  if (!("shopperId" in scope)) return isOfOrder || shaped;
  if (isOfOrder || key.buyer === scope.shopperId) return true;
  return (
    shaped &&
    sellers.some(
      ({ order_id, product_id, merchant_id }) =>
        merchant_id === key.merchant_id &&
        ("orderId" in scope ? order_id === scope.orderId : product_id === scope.productId),
    )
  );
}

/** Whether a text contains an activation code (`CodeScope`). */
export const hasCode = async (tx: Db, text: string, scope: CodeScope = {}): Promise<boolean> =>
  (await findCodes(tx, [{ text, scope }])).flat().length > 0;

/** Which of these texts of the shop's own staff contain an activation code (`CodeScope`). */
export const findTextsWithCode = async (tx: Db, texts: readonly string[]): Promise<boolean[]> =>
  (
    await findCodes(
      tx,
      texts.map((text) => ({ text, scope: {} })),
    )
  ).map((codes) => codes.length > 0);

/**
 * The one check of texts that staff or a merchant write or import, and that are stored or published in clear text.
 * @throws ShopError note_has_code: one of them contains an activation code
 */
export async function requireNoCode(
  tx: Db,
  texts: string | null | undefined | readonly string[],
  scope: CodeScope = {},
): Promise<void> {
  const written = (typeof texts === "string" ? [texts] : (texts ?? [])).map((text) => ({ text, scope }));
  if ((await findCodes(tx, written)).flat().length > 0) throw new ShopError("note_has_code");
}

/** Whether one of the texts contains one of these codes, which need not be stored yet. */
export async function repeatsCode(
  codes: AsyncIterable<{ key: string }>,
  texts: readonly string[],
): Promise<boolean> {
  const parts = new Set(texts.flatMap((text) => partsOf(text)).map(({ letters }) => letters));
  for await (const { key } of codes) if (parts.has(lettersOfKey(key))) return true;
  return false;
}

/** A text of a shopper, and the codes that it may contain. */
export type ShownText = { text: string | null; scope: CodeScope };

/**
 * Masks the activation codes in texts that shoppers wrote, because the consoles show no code. For a merchant,
 * everything that looks like a code is masked, so that the mask does not confirm a real one.
 */
export async function maskCodes(texts: readonly ShownText[]): Promise<(string | null)[]> {
  const written = texts.map(({ text, scope }) => ({ text: text ?? "", scope }));
  const found = await findCodes(db, written);
  return texts.map(({ text, scope }, i) => {
    if (text === null) return null;
    const shaped = "merchantId" in scope ? (text.match(CODE_SHAPED) ?? []) : [];
    const codes = [...new Set([...found[i]!, ...shaped])].sort((a, b) => b.length - a.length);
    return codes.reduce((masked, code) => masked.replaceAll(code, MASKED_CODE), text);
  });
}
