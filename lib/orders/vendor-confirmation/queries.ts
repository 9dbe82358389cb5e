import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import type { MailProps } from "@/emails/render";
import { decryptKeysForEmail } from "@/lib/delivery/library/queries";
import { passLine, readOrder } from "@/lib/orders/emails/queries";
import type { RefundRequestState } from "@/lib/payments/rules";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/pages/page-urls";
import type { VendorConfirmation } from "./contract";
import { type CodeReference, VENDOR_ANSWERS, type VendorAnswer } from "./rules";

/** The vendor's address, or the shop's support address when none is known. */
export async function vendorEmail(tx: Tx, lineId: string): Promise<string> {
  const [row] = await tx.execute<{ email: string | null }>(sql`
    select p.vendor_email as email from order_lines l join products p on p.id = l.product_id where l.id = ${lineId}`);
  return row?.email ?? supportAddress();
}

export type VendorLink = { requestId: string; answer: VendorAnswer };

const tokenOf = (request: string, answer: VendorAnswer) =>
  createSignedToken("vendor-confirmation", { request, answer });

/** Parses a signed vendor link; null when it is invalid. The request itself holds the deadline. */
export function parseVendorLink(token: string): VendorLink | null {
  const facts = verifySignedToken("vendor-confirmation", token);
  const answer = VENDOR_ANSWERS.find((known) => known === facts?.answer);
  return facts && answer ? { requestId: String(facts.request), answer } : null;
}

/** Shorter codes show none of their characters. */
const LONG_ENOUGH = 12;

/**
 * A code's reference: its ending and 32 bits of its SHA-256. Together they identify a code in the vendor's list, and
 * cannot be guessed back (docs/decisions/0017-ask-the-vendor-by-a-code-reference.md).
 */
export const codeReference = (code: string): CodeReference => ({
  digest: createHash("sha256").update(code).digest("hex").slice(0, 8),
  ending: [...code].length >= LONG_ENOUGH ? [...code].slice(-4).join("") : null,
});

type QuestionRow = {
  order_id: string;
  line_id: string;
  state: RefundRequestState;
  answer_by: string;
  paid_at: string;
  key_ids: string[];
};

/** The email to the vendor, with the codes by reference only. Codes are decrypted at send time and nowhere else. */
export async function vendorConfirmationMail(
  requestId: string,
  locale: Locale,
): Promise<MailProps["vendor-confirmation"] | null> {
  const [row] = await db.execute<QuestionRow>(sql`
    select l.order_id, l.id as line_id, q.state, q.answer_by, o.paid_at,
      coalesce((select json_agg(k.id order by k.slot) from keys k where k.order_line_id = l.id and k.state = 'assigned'), '[]') as key_ids
    from refund_requests q join order_lines l on l.id = q.order_line_id join orders o on o.id = l.order_id
    where q.id = ${requestId}`);
  if (row?.state !== "asked") return null; // decided in the meantime
  const line = (await readOrder(row.order_id, locale)).find((each) => each.line_id === row.line_id);
  const codes = await decryptKeysForEmail(db, row.key_ids, { asked: true });
  if (!line || codes.length === 0) return null;
  return {
    pass: passLine(line, locale),
    soldAt: new Date(row.paid_at),
    codes: codes.map(({ code }) => codeReference(code)),
    answerBy: new Date(row.answer_by),
    usedToken: tokenOf(requestId, "used"),
    unusedToken: tokenOf(requestId, "unused"),
  };
}

/** What the page behind a link shows; null for an invalid link. */
export async function findVendorConfirmation(
  token: string,
  locale: Locale,
): Promise<VendorConfirmation | null> {
  const link = parseVendorLink(token);
  if (!link) return null;
  const [row] = await db.execute<
    Omit<VendorConfirmation, "answer" | "language" | "sold_at" | "answer_by"> & {
      translated: boolean;
      paid_at: string;
      until: string;
    }
  >(sql`
    select q.state, coalesce(t.name, e.name) as product, t.locale is not null as translated, l.pass_type as vip_type,
      l.duration_days, o.paid_at, q.answer_by as until, q.answer_by <= shop_now() as late
    from refund_requests q join order_lines l on l.id = q.order_line_id join orders o on o.id = l.order_id
    left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
    where q.id = ${link.requestId}`);
  if (!row) return null;
  const { translated, paid_at, until, ...facts } = row;
  return {
    ...facts,
    answer: link.answer,
    language: translated ? locale : "en",
    sold_at: new Date(paid_at),
    answer_by: new Date(until),
  };
}
