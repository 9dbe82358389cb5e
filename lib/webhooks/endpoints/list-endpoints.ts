import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import { instant } from "@/lib/platform/instant";
import type { EndpointList, WebhookEndpoint } from "@/lib/webhooks/contract";
import { isSandboxReceiver } from "@/lib/webhooks/sandbox-receiver";

/** Waiting messages are counted to this number. */
const COUNTED = sql.raw("100");

async function readEndpoints({ merchant }: MerchantViewer, condition: SQL): Promise<WebhookEndpoint[]> {
  const rows = await db.execute<Omit<WebhookEndpoint, "sandbox">>(sql`
    select e.id as endpoint_id, e.name, e.url, e.events, e.state, e.disabled_reason, e.disabled_at, e.failing_since,
      case when e.old_until > shop_now() then e.old_until end as old_secret_until, e.created_at,
      (select count(*)::int from (select from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'waiting' limit ${COUNTED}) w) as waiting,
      (select d.ended_at from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'delivered' order by d.id desc limit 1) as last_success_at
    from webhook_endpoints e where e.merchant_id = ${merchant.id} and e.removed_at is null and ${condition}
    order by e.created_at desc, e.id`);
  return rows.map((row) => ({
    ...row,
    disabled_at: instant(row.disabled_at),
    failing_since: instant(row.failing_since),
    old_secret_until: instant(row.old_secret_until),
    created_at: instant(row.created_at),
    last_success_at: instant(row.last_success_at),
    sandbox: isSandboxReceiver(row.url),
  }));
}

/** The endpoints of the viewer's merchant, without their secrets. */
export const listEndpoints = async (viewer: MerchantViewer): Promise<EndpointList> => ({
  items: await readEndpoints(viewer, sql`true`),
});

/**
 * One of the merchant's endpoints.
 * @throws ShopError webhook_unknown
 */
export async function getEndpoint(viewer: MerchantViewer, id: string): Promise<WebhookEndpoint> {
  const [endpoint] = await readEndpoints(viewer, sql`e.id = ${id}`);
  if (!endpoint) throw new ShopError("webhook_unknown");
  return endpoint;
}
