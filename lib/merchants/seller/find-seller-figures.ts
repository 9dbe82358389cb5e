import { client } from "@/db/client";
import type { SellerFigures } from "./contract";
import { ANSWERS_FROM, SELLER_SALES, workedShare } from "./rules";

type FigureRow = { units: number; replaced: number; answers: number; answer_seconds: number | null };

/**
 * Codes and answers of a merchant, counted over its newest sold lines, so that the statement reads few rows and reflects the
 * present (docs/product.md#147-on-the-shop).
 */
export async function countSellerFigures(handle: string): Promise<SellerFigures> {
  const [row] = await client()<FigureRow[]>`
    with sold as materialized (select line_id, units from merchant_sales
      where merchant_id = (select id from merchants where handle = ${handle}) order by sold_at desc, line_id desc limit ${SELLER_SALES}),
    answered as (
      select q.state, q.decided_at - q.created_at as took from sold s join keys k on k.order_line_id = s.line_id
      join replacement_requests q on q.key_id = k.id and q.decided_at is not null
      union all
      select 'refund', q.decided_at - q.created_at from sold s join refund_requests q on q.order_line_id = s.line_id
      where q.decided_at is not null and q.decided_by not in ('rule', 'deadline'))
    select (select coalesce(sum(units), 0)::int from sold) as units,
      (select count(*)::int from answered where state = 'approved') as replaced,
      (select count(*)::int from answered) as answers,
      (select extract(epoch from percentile_cont(0.5) within group (order by took))::float8 from answered) as answer_seconds`;
  const { units, replaced, answers, answer_seconds } = row!;
  const percent = workedShare(units, replaced);
  const seconds = answers < ANSWERS_FROM ? null : answer_seconds;
  return {
    worked: percent === null ? null : { percent, units },
    answer_hours: seconds === null ? null : Math.max(1, Math.ceil(seconds / 3600)),
  };
}

const KEPT_MS = 600_000;
const KEPT_MAX = 500;
const kept = new Map<string, { at: number; figures: Promise<SellerFigures> }>();

/** The figures for product pages, counted at most once in ten minutes per merchant. */
export function findSellerFigures(handle: string): Promise<SellerFigures> {
  const found = kept.get(handle);
  if (found && Date.now() - found.at < KEPT_MS) return found.figures;
  const figures = countSellerFigures(handle);
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(handle, { at: Date.now(), figures });
  figures.catch(() => kept.delete(handle)); // the next page asks again
  return figures;
}
