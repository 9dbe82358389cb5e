import { and, eq, lt, sql } from "drizzle-orm";
import { client, db } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { idempotencyKeys } from "@/db/schema/requests";
import { hmac } from "@/lib/platform/crypto/hmac";
import { ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { currentRequest, type RequestScope, runInBackground } from "@/lib/platform/request-scope";

/** A claimed Idempotency-Key: run the request (`repeated`: it succeeded before), or replay its stored response. */
export type IdempotencyClaim =
  | { kind: "run"; repeated: false; lease: Lease }
  | { kind: "run"; repeated: true }
  | { kind: "replay"; status: number; body: unknown };
export type IdempotentRequest = { owner: string; key: string; hash: string };

/**
 * The request that holds a key renews its lease while it runs. So a key is free soon after its process was killed, and a
 * request cannot write after its lease has passed to another one (`leaseEndsAt`).
 */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** The deadline of a request is 60 s. */
const RENEW_FOR_MS = 60_000;
/** Longer than a lease: a repetition waits for that of a killed process. */
const WAIT_MS = 12_000;
/** How long, and how often, the end of a request is written again after the database failed. */
const SETTLE_FOR_MS = 120_000;
const SETTLE_EVERY_MS = 500;

/** Identifies a request by its call and body. An HMAC, because a body may contain a password. */
export function requestHash(method: string, path: string, body: unknown): string {
  return hmac("request", `${method} ${path}\n${stableJson(body)}`);
}

function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${stableJson(inner)}`).join(",")}}`;
}

/**
 * Claims the key for this request for 24 hours (docs/product.md#71-conventions). Waits up to twelve seconds for a
 * concurrent request with the same key. Throws `idempotency_reused` for another body or
 * merchant, and `idempotency_in_progress` if the other request does not end.
 */
export async function claimIdempotencyKey(request: IdempotentRequest): Promise<IdempotencyClaim> {
  const deadline = Date.now() + WAIT_MS;
  for (let pause = 25; ; pause = Math.min(pause * 2, 400)) {
    const claim = await tryClaim(request);
    if (claim) return claim;
    if (Date.now() > deadline)
      throw new ShopError("idempotency_in_progress", { params: { retryAfterSeconds: 5 } });
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const isStored = ({ owner, key }: IdempotentRequest) =>
  and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key));

async function tryClaim(request: IdempotentRequest): Promise<IdempotencyClaim | null> {
  const { owner, key, hash } = request;
  const claimedAt = performance.now();
  // A key is free if it is new, older than a day, or held for this same request by a process that no longer runs.
  const [claimed] = await client()<{ until: string }[]>`
    insert into idempotency_keys as k (owner, key, request_hash, locked_until)
    values (${owner}, ${key}, ${hash}, shop_now() + make_interval(secs => ${LEASE_MS / 1000}))
    on conflict (owner, key) do update set request_hash = excluded.request_hash, http_status = null, body = null,
      created_at = shop_now(), locked_until = excluded.locked_until
    where k.created_at < shop_now() - interval '24 hours'
      or (k.http_status is null and k.locked_until < shop_now() and k.request_hash = excluded.request_hash)
    returning locked_until::text as until`;
  if (claimed) return { kind: "run", repeated: false, lease: holdLease(request, claimed.until, claimedAt) };
  const [stored] = await db.select().from(idempotencyKeys).where(isStored(request));
  if (!stored) return null;
  if (stored.requestHash !== hash) throw new ShopError("idempotency_reused");
  if (stored.httpStatus === null) return null;
  return stored.body
    ? { kind: "replay", status: stored.httpStatus, body: stored.body.answer }
    : { kind: "run", repeated: true };
}

/** The hold of a request on its key. Each function ends it; when the database fails, they are repeated in the background. */
export type Lease = {
  /** Stores a success for replay. `data` is undefined if it contains a secret: then only the success is stored. */
  store(httpStatus: number, data: unknown): Promise<void>;
  /** Releases the key after an error: nothing was written, so the same request may be repeated. */
  release(): Promise<void>;
};

/** `until` is the end of the lease in the row, which no other lease has. `claimedAt` is a time before the claim. */
function holdLease({ owner, key }: IdempotentRequest, until: string, claimedAt: number): Lease {
  let held = until;
  const scope: RequestScope = currentRequest() ?? {};
  scope.leaseEndsAt = claimedAt + LEASE_MS;
  const renew = async () => {
    const startedAt = performance.now();
    const [row] = await client()<{ until: string }[]>`
      update idempotency_keys set locked_until = shop_now() + make_interval(secs => ${LEASE_MS / 1000})
      where owner = ${owner} and key = ${key} and http_status is null and locked_until = ${held}::timestamptz
      returning locked_until::text as until`;
    if (!row) return;
    held = row.until;
    scope.leaseEndsAt = startedAt + LEASE_MS;
  };
  let renewing: Promise<unknown> = Promise.resolve();
  const timer = runInBackground(() =>
    setInterval(() => {
      if (performance.now() > claimedAt + RENEW_FOR_MS) return clearInterval(timer);
      renewing = renewing
        .then(renew)
        .catch((error) => log.warn({ err: error }, "idempotency lease not renewed"));
    }, RENEW_MS).unref(),
  );
  const settle = async (write: () => Promise<unknown>) => {
    await renewing;
    await settleRepeatedly(write, () => {
      clearInterval(timer);
      scope.leaseEndsAt = undefined;
    });
  };
  return {
    store(httpStatus, data) {
      const body = data === undefined ? null : JSON.stringify({ answer: data });
      return settle(
        () => client()`update idempotency_keys set http_status = ${httpStatus}, body = ${body}::text::jsonb
          where owner = ${owner} and key = ${key} and locked_until = ${held}::timestamptz`,
      );
    },
    release: () =>
      settle(
        () => client()`delete from idempotency_keys where owner = ${owner} and key = ${key} and http_status is null
          and locked_until = ${held}::timestamptz`,
      ),
  };
}

/** Resolves after the first attempt. When it fails, the others follow in the background until one succeeds. */
async function settleRepeatedly(write: () => Promise<unknown>, end: () => void): Promise<void> {
  const deadline = performance.now() + SETTLE_FOR_MS;
  const attempt = async (): Promise<void> => {
    try {
      await write();
      end();
    } catch (error) {
      log.warn({ err: error }, "the result of an idempotent request is not stored yet");
      if (performance.now() > deadline) return end();
      runInBackground(() => setTimeout(() => void attempt(), SETTLE_EVERY_MS).unref());
    }
  };
  await attempt();
}

/** Deletes keys older than a day. Called by the sweeper. */
export async function deleteExpiredIdempotencyKeys(): Promise<void> {
  const isOld = lt(idempotencyKeys.createdAt, sql`shop_now() - interval '24 hours'`);
  await deleteInBatches(idempotencyKeys, isOld, sql`created_at`);
}
