import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { unseal } from "@/lib/platform/crypto/vault";
import { ATTEMPT_MS, ATTEMPTS_AT_ONCE, type SentEvent } from "@/lib/webhooks/rules";

/** How long a claim lasts beyond the longest attempt: a killed process's deliveries are sent again after that. */
const CLAIM_SECONDS = ATTEMPT_MS / 1_000 + 20;

/** A delivery that this process attempts now. */
export type ClaimedDelivery = {
  id: number;
  messageId: string;
  type: SentEvent;
  data: Record<string, unknown>;
  keyId: string | null;
  happenedAt: string;
};
export type Claim = { url: string; secrets: string[]; deliveries: ClaimedDelivery[] };

type EndpointRow = {
  url: string;
  sealed: Buffer;
  vaultKeyId: string;
  oldSealed: Buffer | null;
  oldVaultKeyId: string | null;
};

/**
 * Claims the due deliveries of an endpoint, up to its concurrency limit, and for each object only the oldest one. Locks
 * the endpoint, so that no two processes claim the same delivery. Null if nothing is due.
 */
export const claimDeliveries = (endpointId: string): Promise<Claim | null> =>
  transaction(async (tx) => {
    const [endpoint] = await tx.execute<EndpointRow>(sql`
      select url, sealed, vault_key_id as "vaultKeyId", case when old_until > shop_now() then old_sealed end as "oldSealed",
        old_vault_key_id as "oldVaultKeyId"
      from webhook_endpoints where id = ${endpointId} and state = 'enabled' and removed_at is null for no key update`);
    if (!endpoint) return null;
    // Deliveries behind one that is retried later are not due before it.
    await tx.execute(sql`
      update webhook_deliveries d set next_at = first.next_at from (
        select distinct on (object) object, id, next_at from webhook_deliveries
        where endpoint_id = ${endpointId} and state = 'waiting' order by object, id) first
      where d.endpoint_id = ${endpointId} and d.state = 'waiting' and d.object = first.object and d.id > first.id
        and d.next_at <= shop_now() and first.next_at > shop_now()`);
    const deliveries = await tx.execute<ClaimedDelivery>(sql`
      with due as (
        select d.id from webhook_deliveries d
        where d.endpoint_id = ${endpointId} and d.state = 'waiting' and d.next_at <= shop_now()
          and coalesce(d.claimed_until <= shop_now(), true)
          and not exists (select from webhook_deliveries e where e.endpoint_id = d.endpoint_id and e.object = d.object
            and e.state = 'waiting' and e.id < d.id)
        order by d.next_at, d.id limit greatest(0, ${ATTEMPTS_AT_ONCE} - (
          select count(*) from webhook_deliveries r
          where r.endpoint_id = ${endpointId} and r.state = 'waiting' and r.claimed_until > shop_now()))
      )
      update webhook_deliveries d set claimed_until = shop_now() + make_interval(secs => ${CLAIM_SECONDS})
      from due, webhook_messages m where d.id = due.id and m.id = d.message_id
      returning d.id::float8 as id, m.id as "messageId", m.type, m.data, m.key_id as "keyId", webhook_time(m.created_at) as "happenedAt"`);
    if (deliveries.length === 0) return null;
    const { url, sealed, vaultKeyId, oldSealed, oldVaultKeyId } = endpoint;
    const secrets = [unseal(endpointId, { sealed, vaultKeyId })];
    if (oldSealed && oldVaultKeyId)
      secrets.push(unseal(endpointId, { sealed: oldSealed, vaultKeyId: oldVaultKeyId }));
    return { url, secrets, deliveries: [...deliveries] };
  });
