import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { decryptKeys, openKeysForVendor } from "@/lib/delivery/library/open-keys";
import { readOrderLines, toPassLine } from "@/lib/orders/emails/read-order-lines";
import { SERVED_UNIT_SQL } from "@/lib/orders/refunds/lock-line-codes";
import type { RefundRequestState } from "@/lib/payments/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { codeReference } from "./code-reference";
import { createVendorToken, questionVersionSql } from "./vendor-link";

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
