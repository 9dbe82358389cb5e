import { statements, type Tx } from "@/db/client";

/** Ends the early fraud warnings about a locked order that nobody has decided: its money went back, or a dispute decides. */
export async function closeWarnings(tx: Tx, orderId: string): Promise<void> {
  await statements(tx)`
    update fraud_warnings set state = 'closed', decided_at = shop_now(), decided_by = 'rule'
    where order_id = ${orderId} and decided_at is null`;
}
