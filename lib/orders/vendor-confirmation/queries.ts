import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { decryptKeys, openKeysForVendor } from "@/lib/delivery/library/commands-open";
import { readOrderLines, toPassLine } from "@/lib/orders/emails/queries";
import { SERVED_UNIT_SQL } from "@/lib/orders/refunds/queries";
import type { RefundRequestState } from "@/lib/payments/rules";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { versionSql } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type CodeReference, VENDOR_ANSWERS, type VendorAnswer, type VendorConfirmation } from "./contract";

/** SQL: the codes of a line `l` that its vendor is asked about. */
const ASKED_KEYS_SQL = sql`array(select k.id from keys k where k.order_line_id = l.id and ${SERVED_UNIT_SQL} order by k.id)`;
/** SQL: the version of the question of a refund request of a line `l`: the codes that it names. */
export const questionVersionSql = (request: string) => versionSql(sql.raw(`${request}.id`), ASKED_KEYS_SQL);

type Question = { request: string; version: string };
const createVendorToken = (question: Question, answer: VendorAnswer) =>
  createSignedToken("vendor-confirmation", { ...question, answer });

/**
 * Parses the token of a vendor link; null when it is invalid. The refund request holds the deadline. Links of former releases name
 * no version.
 */
export function parseVendorLink(token: string) {
  const claims = verifySignedToken("vendor-confirmation", token);
  const answer = VENDOR_ANSWERS.find((known) => known === claims?.answer);
  if (!claims || !answer) return null;
  const { request, version } = claims;
  return { requestId: String(request), answer, ...(version !== undefined && { version: String(version) }) };
}

/** The reference of a shorter code shows none of its characters. */
const MIN_LENGTH_FOR_ENDING = 12;

/**
 * A code's reference: its ending and 32 bits of its SHA-256. Together they identify a code in the vendor's list, but
 * the code cannot be derived from them (docs/decisions/0017-ask-the-vendor-with-a-code-reference.md).
 */
export const codeReference = (code: string): CodeReference => ({
  digest: createHash("sha256").update(code).digest("hex").slice(0, 8),
  ending: [...code].length >= MIN_LENGTH_FOR_ENDING ? [...code].slice(-4).join("") : null,
});

/** The references of codes by key; a code that is refunded has none. */
export async function listCodeReferences(keyIds: string[]): Promise<Map<string, CodeReference>> {
  const codes = decryptKeys(await openKeysForVendor(keyIds));
  return new Map(codes.map(({ keyId, code }) => [keyId, codeReference(code)]));
}

type RequestRow = {
  order_id: string;
  line_id: string;
  state: RefundRequestState;
  answer_by: string;
  paid_at: string;
  key_ids: string[];
  version: string;
};

/** The email to the vendor, which names the codes by reference. Codes are decrypted at send time only. */
export async function vendorConfirmationMail(requestId: string, reminder: boolean, locale: Locale) {
  const [row] = await db.execute<RequestRow>(sql`
    select l.order_id, l.id as line_id, q.state, q.answer_by, o.paid_at, ${questionVersionSql("q")} as version,
      coalesce((select json_agg(k.id order by k.slot, k.assigned_at) from keys k where k.order_line_id = l.id and ${SERVED_UNIT_SQL}), '[]') as key_ids
    from refund_requests q join order_lines l on l.id = q.order_line_id join orders o on o.id = l.order_id
    where q.id = ${requestId}`);
  if (row?.state !== "asked") return null; // decided in the meantime
  const line = (await readOrderLines(row.order_id, locale)).find(
    (orderLine) => orderLine.lineId === row.line_id,
  );
  const codes = decryptKeys(await openKeysForVendor(row.key_ids));
  if (!line || codes.length === 0) return null;
  const question = { request: requestId, version: row.version };
  return {
    pass: toPassLine(line, locale),
    reminder,
    soldAt: new Date(row.paid_at),
    codes: codes.map(({ code }) => codeReference(code)),
    answerBy: new Date(row.answer_by),
    usedToken: createVendorToken(question, "used"),
    unusedToken: createVendorToken(question, "unused"),
  };
}

type ConfirmationRow = Pick<
  VendorConfirmation,
  "state" | "product" | "pass_type" | "duration_days" | "late"
> & {
  translated: boolean;
  paid_at: string;
  answer_by: string;
  version: string;
  key_ids: string[];
};

/** What the page behind a link shows; null for an invalid link. */
export async function findVendorConfirmation(
  token: string,
  locale: Locale,
): Promise<VendorConfirmation | null> {
  const link = parseVendorLink(token);
  if (!link) return null;
  const [row] = await db.execute<ConfirmationRow>(sql`
    select q.state, coalesce(t.name, translate_product_text(e.name, ${locale})) as product, t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated, l.pass_type,
      l.duration_days, o.paid_at, q.answer_by, q.answer_by <= shop_now() as late, ${questionVersionSql("q")} as version,
      case when q.state = 'asked' and q.answer_by > shop_now() then ${ASKED_KEYS_SQL} else '{}' end as key_ids
    from refund_requests q join order_lines l on l.id = q.order_line_id join orders o on o.id = l.order_id
    left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
    where q.id = ${link.requestId}`);
  if (!row) return null;
  const { translated, paid_at, answer_by, version, key_ids, ...columns } = row;
  const { requestId: request, answer } = link;
  return {
    ...columns,
    answer,
    codes: [...(await listCodeReferences(key_ids)).values()],
    token: link.version === undefined ? createVendorToken({ request, version }, answer) : token,
    language: translated ? locale : "en",
    sold_at: new Date(paid_at),
    answer_by: new Date(answer_by),
  };
}
