import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ID_PATTERN, NUMBER_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  isValue,
  markColumns,
  pageSql,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import type { AttemptList, AttemptsInput, SentWebhook } from "@/lib/webhooks/contract";
import { messageBody } from "@/lib/webhooks/delivery/message-body";
import { getEndpoint } from "./list-endpoints";

const ENDPOINT: SortKey = { value: sql`d.endpoint_id`, type: "text", pattern: ID_PATTERN };
const STATE: SortKey = { value: sql`d.state`, type: "text", pattern: ID_PATTERN };
const BY_ID: SortKey = { value: sql`d.id`, type: "bigint", pattern: NUMBER_PATTERN };

function attemptListQuery(endpointId: string, { state, type }: AttemptsInput): ConsoleListQuery {
  const filters: SQL[] = [];
  if (type !== undefined)
    filters.push(sql`exists (select from webhook_messages m where m.id = d.message_id and m.type = ${type})`);
  return {
    from: sql`webhook_deliveries d`,
    alias: sql`d`,
    columns: sql`d.id, d.endpoint_id, d.message_id, d.state, d.next_at, d.created_at`,
    indexed: [isValue(ENDPOINT, endpointId), ...(state === undefined ? [] : [isValue(STATE, state)])],
    filters,
    walked: WALKED_ROWS,
    sort: [ENDPOINT, ...(state === undefined ? [] : [STATE]), BY_ID],
    at: sql`d.created_at`,
  };
}

type Row = Omit<SentWebhook, "body"> & { data: Record<string, unknown> };

/**
 * A page of the messages to an endpoint with their attempts, newest first.
 * @throws ShopError webhook_unknown, cursor_invalid
 */
export async function listAttempts(
  viewer: MerchantViewer,
  endpointId: string,
  input: AttemptsInput,
): Promise<AttemptList> {
  await getEndpoint(viewer, endpointId);
  const query = attemptListQuery(endpointId, input);
  const marks = { ...input, endpointId };
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, marks, SCREEN)}
    select m.id as message_id, m.type, d.state, m.created_at as happened_at, case d.state when 'waiting' then d.next_at end as next_at, m.data,
      coalesce((select jsonb_agg(jsonb_build_object('at', webhook_time(a.started_at), 'ms', a.ms, 'status', a.status, 'error', a.error,
        'answer', a.answer) order by a.id) from webhook_attempts a where a.delivery_id = d.id), '[]') as attempts, ${markColumns("d")}
    from page d join webhook_messages m on m.id = d.message_id order by d.place`);
  return toPage(query, marks, SCREEN, rows, ({ data, ...row }) => ({
    ...row,
    happened_at: instant(row.happened_at),
    next_at: instant(row.next_at),
    body: messageBody({ type: row.type, data, happenedAt: instant(row.happened_at) }),
  }));
}
