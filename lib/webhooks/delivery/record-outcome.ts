import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { queueMail } from "@/lib/notifications/queue-mail";
import { audit } from "@/lib/platform/audit";
import {
  type DisabledReason,
  FAILING_DAYS,
  isSuccess,
  RETRY_SECONDS,
  retryAfter,
  TEST_EVENT,
} from "@/lib/webhooks/rules";
import type { Outcome } from "./post-message";

/** An endpoint is slow if its last attempt took longer. */
const SLOW_MS = 2_000;

type AttemptedDelivery = { id: number; endpointId: string; type: string; startedAt: Date; outcome: Outcome };
type DeliveryRow = {
  object: string;
  attempts: number;
  merchantId: string;
  endpointState: string;
  failingDays: number | null;
};

/** Records the outcome of an attempt, when the next one is due, and the resulting state of the endpoint. */
export const recordOutcome = (attempt: AttemptedDelivery): Promise<void> =>
  transaction(async (tx) => {
    const { id, endpointId, outcome } = attempt;
    await tx.execute(sql`select from webhook_endpoints where id = ${endpointId} for no key update`);
    const [delivery] = await tx.execute<DeliveryRow>(sql`
      select d.object, d.attempts, e.merchant_id as "merchantId", e.state as "endpointState",
        extract(epoch from shop_now() - e.failing_since)::float8 / 86400 as "failingDays"
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where d.id = ${id} and d.state = 'waiting' for no key update of d`);
    // This process was suspended, and another attempt was faster.
    if (!delivery) return;
    await tx.execute(sql`
      insert into webhook_attempts (delivery_id, started_at, ms, status, error, answer)
      values (${id}, ${attempt.startedAt.toISOString()}, ${outcome.ms}, ${outcome.status}, ${outcome.error}, ${outcome.answer})`);
    const success = isSuccess(outcome.status);
    const isTest = attempt.type === TEST_EVENT;
    const attempts = delivery.attempts + 1;
    const seconds = success || isTest ? null : retryAfter(attempts);
    const state = success ? "delivered" : seconds === null ? "failed" : "waiting";
    await tx.execute(sql`
      update webhook_deliveries set state = ${state}, attempts = ${attempts}, claimed_until = null,
        next_at = case when ${state} = 'waiting' then shop_now() + make_interval(secs => ${seconds ?? 0}) else next_at end,
        ended_at = case when ${state} = 'waiting' then null else shop_now() end
      where id = ${id}`);
    if (state !== "waiting") await releaseNext(tx, endpointId, delivery.object);
    // A failed test does not count towards disabling the endpoint; a successful one ends a series of failures.
    if (isTest && !success) return;
    await tx.execute(sql`
      update webhook_endpoints set slow = ${!success || outcome.ms > SLOW_MS},
        failing_since = case when ${success} then null else coalesce(failing_since, shop_now()) end
      where id = ${endpointId}`);
    if (success || delivery.endpointState !== "enabled") return;
    if (outcome.status === 410) await disableEndpoint(tx, endpointId, "gone");
    else if ((delivery.failingDays ?? 0) >= FAILING_DAYS) await disableEndpoint(tx, endpointId, "failing");
  });

/** Makes the next delivery about the same object due, because the one before has ended. */
const releaseNext = (tx: Tx, endpointId: string, object: string) =>
  tx.execute(sql`
    update webhook_deliveries set next_at = shop_now()
    where endpoint_id = ${endpointId} and object = ${object} and state = 'waiting' and next_at > shop_now()
      and attempts = 0`);

/** Disables an endpoint that no longer responds, and mails the merchant's owners. */
async function disableEndpoint(tx: Tx, endpointId: string, reason: DisabledReason): Promise<void> {
  const [endpoint] = await tx.execute<{ merchantId: string; at: string }>(sql`
    update webhook_endpoints set state = 'disabled', disabled_reason = ${reason}, disabled_at = shop_now()
    where id = ${endpointId} returning merchant_id as "merchantId", disabled_at::text as at`);
  const { merchantId, at } = endpoint!;
  const detail = { endpoint_id: endpointId, reason };
  await audit({ actor: "system", action: "merchant.webhook_disabled", subject: merchantId, detail }, tx);
  const owners = await tx.execute<{ id: string; email: string; locale: string }>(sql`
    select u.id, u.email, u.locale from merchant_members m join users u on u.id = m.user_id
    where m.merchant_id = ${merchantId} and m.role = 'owner' and m.ended_at is null and u.deleted_at is null order by m.id`);
  for (const { id, email, locale } of owners)
    await queueMail(tx, {
      event: "webhook-disabled",
      to: email,
      locale,
      refs: { endpointId },
      dedupeKey: `webhook-disabled:${endpointId}:${at}:${id}`,
    });
}

/** Attempts of a delivery, the first one included. */
export const ATTEMPTS_MAX = RETRY_SECONDS.length + 1;
