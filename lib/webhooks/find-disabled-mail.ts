import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { DisabledReason } from "@/lib/webhooks/rules";

type DisabledRow = { handle: string; name: string; host: string; reason: DisabledReason };

/** The data of the email about an endpoint that the shop disabled; null once it is enabled again or removed. */
export async function findDisabledMail(endpointId: string) {
  const [row] = await db.execute<DisabledRow & { url: string }>(sql`
    select m.handle, e.name, e.url, e.disabled_reason as reason from webhook_endpoints e join merchants m on m.id = e.merchant_id
    where e.id = ${endpointId} and e.disabled_reason in ('gone', 'failing') and e.removed_at is null`);
  if (!row) return null;
  const { url, ...endpoint } = row;
  return { ...endpoint, host: new URL(url).host };
}
