import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { Locale } from "@/lib/platform/i18n/locales";
import { listCodeReferences } from "./code-reference";
import type { VendorConfirmation } from "./contract";
import { ASKED_KEYS_SQL, createVendorToken, parseVendorLink, questionVersionSql } from "./vendor-link";

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
