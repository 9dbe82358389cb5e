import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { CODE_SEEN_SQL, frozenLineSql, mailsCodesSql, warnedSql } from "./key-state-sql";

/** SQL: this order line belongs to a gift that did not return to its giver, so its codes are not the buyer's. */
const giftedSql = (line: string) =>
  sql.raw(
    `exists (select from gifts gift where gift.order_id = ${line}.order_id and gift.state <> 'returned')`,
  );

/** SQL: the code of a key `k` of a line `l` may be in an email. */
export const MAILABLE_CODE_SQL = sql`(k.state = 'assigned' and not ${frozenLineSql("l")} and not ${warnedSql("l.order_id")} and not ${giftedSql("l")} and (${mailsCodesSql("l")} or ${CODE_SEEN_SQL}))`;

/** Whether one of these codes of an order may be in an email now. */
export async function hasMailableCodes(tx: Db, orderId: string, keyIds: string[]): Promise<boolean> {
  if (keyIds.length === 0) return false;
  const mailable = await tx.execute(sql`
    select 1 from keys k join order_lines l on l.id = k.order_line_id
    where k.id in ${keyIds} and l.order_id = ${orderId} and ${MAILABLE_CODE_SQL} limit 1`);
  return mailable.length > 0;
}
