import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { type QueueState, WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  countQueue,
  isValue,
  markColumns,
  pageSql,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { ANSWER_ADDRESS_SQL } from "@/lib/support/find-message-for-mail";
import { lastMessageSql } from "@/lib/support/list-conversations";
import type { ConsoleConversation, ConsoleConversationList, ConsoleConversationsInput } from "./contract";

const STATE: SortKey = { value: sql`c.state`, type: "text", pattern: ID_PATTERN };
const sortBy = (time: SQL): readonly SortKey[] => [
  { value: time, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`c.id`, type: "text", pattern: ID_PATTERN },
];

function conversationListQuery({ state, email }: ConsoleConversationsInput): ConsoleListQuery {
  const waits = state === "waiting";
  return {
    from: sql`conversations c`,
    alias: sql`c`,
    columns: sql.raw(
      "c.id, c.state, c.user_id, c.email, c.order_id, c.order_number, c.locale, c.waiting_since, c.last_at",
    ),
    indexed: waits ? [sql`c.state = 'waiting'`] : [isValue(STATE, state)],
    filters: email === undefined ? [] : [sql`starts_with(lower(${ANSWER_ADDRESS_SQL}), ${email})`],
    walked: WALKED_ROWS / 2,
    sort: waits ? sortBy(sql`c.waiting_since`) : [STATE, ...sortBy(sql`c.last_at`)],
    ascending: waits,
    at: waits ? sql`c.waiting_since` : sql`c.last_at`,
  };
}

type Row = Omit<ConsoleConversation, "waiting_since" | "last_at"> & {
  waiting_since: string | null;
  last_at: string;
};

/** SQL: a conversation `c` as staff see it in a list. */
export const CONVERSATION_COLUMNS = sql`c.id as conversation_id, c.state, c.user_id as customer_id, ${ANSWER_ADDRESS_SQL} as email,
  c.order_id, c.order_number, c.locale, c.waiting_since, c.last_at`;

/**
 * A page of conversations for staff, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleConversations(
  input: ConsoleConversationsInput,
): Promise<ConsoleConversationList> {
  const query = conversationListQuery(input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select ${CONVERSATION_COLUMNS}, ${lastMessageSql("left(m.text, 160)")} as beginning, ${lastMessageSql("m.author")} as last_by, ${markColumns("c")}
    from page c order by c.place`);
  return toPage(query, input, SCREEN, rows, (row) => ({
    ...row,
    waiting_since: instant(row.waiting_since),
    last_at: instant(row.last_at),
  }));
}

/** Conversations that wait for an answer, the oldest first. */
export const countConversations = (): Promise<QueueState> =>
  countQueue(
    sql`select c.waiting_since as at from conversations c where c.state = 'waiting' order by c.waiting_since`,
  );
