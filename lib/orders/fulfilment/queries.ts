import { sql } from "drizzle-orm";
import type { QueueState } from "@/lib/platform/console/list";
import { countQueue } from "@/lib/platform/console/query";

/** Minutes after which paid orders without their codes are stuck; the sweeper is sooner. */
const STUCK_MINUTES = 5;

/**
 * Paid orders that neither have their codes nor wait for stock, the oldest first. Those of an open dispute wait for the
 * bank.
 */
export const countUndeliveredOrders = (): Promise<QueueState> =>
  countQueue(sql`
    select o.paid_at as at from orders o where o.status = 'paid' and o.status not in ('completed', 'shipped')
      and o.paid_at < shop_now() - make_interval(mins => ${STUCK_MINUTES})
      and not exists (select from disputes d where d.order_id = o.id and d.is_open) order by o.created_at`);
