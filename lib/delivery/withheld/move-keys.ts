import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { KeyEvent, KeyState } from "@/lib/delivery/rules";

/**
 * Moves keys of a restored database to another state, with their custody events (docs/operations.md#restore). Those that
 * were reserved leave their lines. Returns how many there were.
 */
export async function moveKeys(
  tx: Tx,
  which: { keyIds: string[] } | { planId: number; state: KeyState },
  to: { state: "withheld" | "quarantined" | "available" | "revoked"; actor: string },
): Promise<number> {
  if ("keyIds" in which && which.keyIds.length === 0) return 0;
  const condition =
    "keyIds" in which
      ? sql`id = any(${sql.param(which.keyIds)}::text[]) and state in ('available', 'reserved', 'withheld')`
      : sql`plan_id = ${which.planId} and state = ${which.state}`;
  const event: KeyEvent = to.state === "available" ? "restocked" : to.state;
  const moved = await tx.execute<{ count: number }>(sql`
    with meant as (
      select id from keys where ${condition} and state <> ${to.state}
      order by plan_id, redeem_by nulls last, created_at, id for update
    ), moved as (
      update keys set state = ${to.state}, order_line_id = null, slot = null, reserved_at = null
      where id in (select id from meant) returning id
    ), events as (insert into key_events (key_id, event, actor) select id, ${event}, ${to.actor} from moved)
    select count(*)::int as count from moved`);
  return moved[0]?.count ?? 0;
}
