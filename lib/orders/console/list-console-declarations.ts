import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import { DECLARATION_DAYS, type DeclarationState } from "@/lib/orders/withdrawal/rules-declaration";
import { declareQuery, finds, idKey, timeKey, withTimes } from "@/lib/platform/console/declare-query";
import type { QueueState } from "@/lib/platform/console/list";
import {
  countQueue,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  toPage,
  versionSql,
} from "@/lib/platform/console/query";
import {
  ConsoleDeclaration,
  type ConsoleDeclarationList,
  type ConsoleDeclarationsInput,
} from "./contract-declarations";

/** SQL: a declaration `d` that nobody has proved or closed. */
export const OPEN_DECLARATION = sql`d.proved_at is null and d.closed_at is null`;

const STATES: Readonly<Record<DeclarationState, SQL>> = {
  open: OPEN_DECLARATION,
  proved: sql`d.proved_at is not null`,
  closed: sql`d.closed_at is not null`,
};

/** SQL: the version of a declaration. */
export const declarationVersionSql = (alias: string) => {
  const d = sql.raw(alias);
  return versionSql(sql`${d}.id`, sql`${d}.times`, sql`${d}.proved_at`, sql`${d}.closed_at`);
};

/** SQL: what staff see of a declaration, besides its id. */
export const declarationSql = (alias: string) => {
  const d = sql.raw(alias);
  return sql`
    ${d}.order_ref, ${d}.email, ${d}.times, ${d}.declared_at,
    ${d}.declared_at + make_interval(days => ${rowCount(DECLARATION_DAYS)}) as due_at,
    case when ${d}.proved_at is not null then 'proved' when ${d}.closed_at is not null then 'closed' else 'open' end as state,
    coalesce(${d}.proved_at, ${d}.closed_at) as ended_at, ${d}.closed_note, ${d}.words->-1->>'name' as name,
    ${d}.words->-1->>'passes' as passes, ${d}.words->-1->>'language' as language,
    (select o.order_number from orders o where o.id = ${d}.order_id) as order_number, ${declarationVersionSql(alias)} as version`;
};

const declarationListQuery = declareQuery<ConsoleDeclarationsInput>({
  table: "withdrawal_declarations d",
  columns: "id, order_ref, email, words, times, declared_at, order_id, proved_at, closed_at, closed_note",
  order: [timeKey("d.declared_at"), idKey("d.id")],
  ascending: ({ state }) => state === "open",
  indexes: {
    state: finds(
      (state) => STATES[state],
      (state) => state === "open",
    ),
  },
  checks: { state: (state) => STATES[state] },
});

/**
 * A page of declarations of withdrawal.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleDeclarations(
  input: ConsoleDeclarationsInput,
): Promise<ConsoleDeclarationList> {
  const query = declarationListQuery(input);
  const rows = await listDb.execute<ConsoleDeclaration & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as declaration_id, ${declarationSql("w")}, ${ROW_MARKS} from page w order by w.place`);
  const page = await toPage(query, input, SCREEN, rows, withTimes(ConsoleDeclaration));
  return { ...page, items: await maskWords(page.items) };
}

/** Masks codes in what declarants typed (docs/product.md#139-queues). */
export async function maskWords(items: ConsoleDeclaration[]): Promise<ConsoleDeclaration[]> {
  const texts = await maskCodes(
    items.flatMap(({ name, passes }) => [name, passes].map((text) => ({ text: text ?? "", scope: {} }))),
  );
  return items.map((item, n) => ({ ...item, name: texts[2 * n] || null, passes: texts[2 * n + 1] || null }));
}

export const countDeclarations = (): Promise<QueueState> =>
  countQueue(
    sql`select d.declared_at as at from withdrawal_declarations d where ${OPEN_DECLARATION} order by d.declared_at`,
  );
