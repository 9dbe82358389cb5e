import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import { versionSql } from "@/lib/platform/console/query";
import { DEFAULT_LOCALE, isLocale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { listMessages } from "@/lib/support/find-conversation";
import { ANSWER_ADDRESS_SQL } from "@/lib/support/find-message-for-mail";
import type { ConsoleConversationDetail } from "./contract";
import { CONVERSATION_COLUMNS } from "./list-console-conversations";

type Row = Omit<ConsoleConversationDetail, "messages" | "variables"> & {
  waiting_since: string | null;
  last_at: string;
  created_at: string;
  name: string | null;
  product: string | null;
  type: PassType | null;
  days: number | null;
};

/** SQL: the version of a conversation `c`: its state and all of its messages. */
export const conversationVersionSql: SQL = versionSql(
  sql`c.id, c.state, (select count(*) from conversation_messages m where m.conversation_id = c.id)`,
);

/** A conversation with its messages, for staff; null for an unknown one. */
export async function getConsoleConversation(id: string): Promise<ConsoleConversationDetail | null> {
  const [row] = await db.execute<Row>(sql`
    select ${CONVERSATION_COLUMNS}, c.created_at, ${conversationVersionSql} as version,
      (select u.username from users u where u.id = c.user_id and u.deleted_at is null) as name,
      coalesce(t.name, translate_product_text(e.name, c.locale)) as product, l.pass_type as type, l.duration_days as days
    from conversations c
    left join lateral (select * from order_lines x where x.order_id = c.order_id order by x.position limit 1) l on true
    left join product_texts t on t.product_id = l.product_id and t.locale = c.locale
    left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
    where c.id = ${id}`);
  if (!row) return null;
  const { name, product, type, days, ...conversation } = row;
  const locale = isLocale(row.locale) ? row.locale : DEFAULT_LOCALE;
  return {
    ...conversation,
    waiting_since: instant(row.waiting_since),
    last_at: instant(row.last_at),
    created_at: instant(row.created_at),
    messages: await listMessages(id),
    variables: {
      name,
      order: row.order_id && row.order_number,
      pass: product && type && `${product} · ${passLabel({ pass_type: type, duration_days: days }, locale)}`,
    },
  };
}

/** Locks a conversation and returns the version that staff see of it; undefined for an unknown one. */
export async function lockConversation(tx: Tx, id: string) {
  await tx.execute(sql`select from conversations where id = ${id} for update`);
  // A separate statement, because the one that locks sees only messages from before it waited.
  const [row] = await tx.execute<{ version: string; locale: string; email: string }>(sql`
    select ${conversationVersionSql} as version, c.locale, ${ANSWER_ADDRESS_SQL} as email
    from conversations c where c.id = ${id}`);
  return row;
}
