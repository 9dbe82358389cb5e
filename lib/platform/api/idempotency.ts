import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { client, db } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { idempotencyKeys } from "@/db/schema/requests";
import { hmac } from "@/lib/platform/crypto/hmac";
import { ShopError } from "@/lib/platform/errors";

/** A claimed Idempotency-Key: run the request (`repeated`: it succeeded before), or replay its stored response. */
export type IdempotencyClaim =
  | { kind: "run"; repeated: boolean }
  | { kind: "replay"; status: number; body: unknown };
export type IdempotentRequest = { owner: string; key: string; hash: string };

const LOCK_SECONDS = 65; // the deadline of a request is 60 s
const WAIT_MS = 10_000;

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
 * Claims the key for this request for 24 hours (docs/product.md#71-conventions). Waits for a concurrent request with the
 * same key. Throws `idempotency_reused` for another body, and `idempotency_in_progress` if the other request does not end.
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
  // A key is free if it is new, older than a day, or held for this same request by a process that no longer runs.
  const claimed = await client()`
    insert into idempotency_keys as k (owner, key, request_hash, locked_until)
    values (${owner}, ${key}, ${hash}, shop_now() + make_interval(secs => ${LOCK_SECONDS}))
    on conflict (owner, key) do update set request_hash = excluded.request_hash, http_status = null, body = null,
      created_at = shop_now(), locked_until = excluded.locked_until
    where k.created_at < shop_now() - interval '24 hours'
      or (k.http_status is null and k.locked_until < shop_now() and k.request_hash = excluded.request_hash)
    returning 1`;
  if (claimed.length > 0) return { kind: "run", repeated: false };
  const [stored] = await db.select().from(idempotencyKeys).where(isStored(request));
  if (!stored) return null;
  if (stored.requestHash !== hash) throw new ShopError("idempotency_reused");
  if (stored.httpStatus === null) return null;
  return stored.body
    ? { kind: "replay", status: stored.httpStatus, body: stored.body.answer }
    : { kind: "run", repeated: true };
}

/** Stores a success for replay. `data` is undefined if it contains a secret: then only the success is stored. */
export async function storeResponse(
  request: IdempotentRequest,
  httpStatus: number,
  data: unknown,
): Promise<void> {
  const body = data === undefined ? null : { answer: data };
  await db.update(idempotencyKeys).set({ httpStatus, body }).where(isStored(request));
}

/** Releases the key after an error: nothing was written, so the same request may be repeated. */
export async function releaseIdempotencyKey(request: IdempotentRequest): Promise<void> {
  await db.delete(idempotencyKeys).where(and(isStored(request), isNull(idempotencyKeys.httpStatus)));
}

/** Deletes keys older than a day. Called by the sweeper. */
export async function deleteExpiredIdempotencyKeys(): Promise<void> {
  const isOld = lt(idempotencyKeys.createdAt, sql`shop_now() - interval '24 hours'`);
  await deleteInBatches(idempotencyKeys, isOld, sql`created_at`);
}
