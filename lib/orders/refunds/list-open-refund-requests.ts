import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { requestLeftSql, requestVersionSql } from "./refund-versions";

export type OpenRefundRequest = {
  id: string;
  orderId: string;
  orderNumber: string;
  email: string;
  product: string;
  amountCents: number;
  askedAt: string;
  answerBy: string;
  version: string;
};

const LISTED_REFUSED = 200;

/** Refund requests that wait for the vendor, most urgent first, or the refused ones, the newest first; for staff. */
export const listOpenRefundRequests = ({ refused = false } = {}): Promise<OpenRefundRequest[]> =>
  db.execute<OpenRefundRequest>(sql`
    select q.id, l.order_id as "orderId", o.order_number as "orderNumber", u.email, coalesce(t.name, p.slug) as product, ${requestLeftSql("q", "l")} as "amountCents",
      q.created_at as "askedAt", q.answer_by as "answerBy", ${requestVersionSql("q")} as version
    from refund_requests q join order_lines l on l.id = q.order_line_id join orders o on o.id = l.order_id
    join users u on u.id = q.user_id join products p on p.id = l.product_id left join product_texts t on t.product_id = p.id and t.locale = 'en'
    where ${
      refused
        ? sql`q.state = 'refused' order by q.decided_at desc, q.id limit ${LISTED_REFUSED}`
        : sql`q.state = 'asked' order by q.answer_by, q.id`
    }`);
