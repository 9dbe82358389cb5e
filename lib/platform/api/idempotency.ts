import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { client, db } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/requests";
import { hmac } from "@/lib/platform/crypto/hmac";
import { ShopError } from "@/lib/platform/errors";

/** A claimed Idempotency-Key: run the request (`repeated`: it succeeded before), or replay its stored answer. */
export type IdempotencyClaim =
  | { kind: "run"; repeated: boolean }
  | { kind: "replay"; status: number; body: unknown };
export type IdempotentRequest = { owner: string; key: string; hash: string };

const LOCK_SECONDS = 65; // the deadline of a request is 60 s
const WAIT_MS = 10_000;

/** Recognises the same request: call and body, under a key, because a body may hold a password. */
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
 * Claims the key for this request (docs/product.md#71-conventions, 24 h). A rival with the same key is waited for.
 * Throws `idempotency_reused` for another body and `idempotency_in_progress` when the rival does not end.
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

async function tryClaim({ owner, key, hash }: IdempotentRequest): Promise<IdempotencyClaim | null> {
  // A key is free when it is new, a day old, or when the process that held it for this same request is gone.
  const won = await client()`
    insert into idempotency_keys as k (owner, key, request_hash, locked_until)
    values (${owner}, ${key}, ${hash}, shop_now() + make_interval(secs => ${LOCK_SECONDS}))
    on conflict (owner, key) do update set request_hash = excluded.request_hash, http_status = null, body = null,
      created_at = shop_now(), locked_until = excluded.locked_until
    where k.created_at < shop_now() - interval '24 hours'
      or (k.http_status is null and k.locked_until < shop_now() and k.request_hash = excluded.request_hash)
    returning 1`;
  if (won.length > 0) return { kind: "run", repeated: false };
  const [kept] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key)));
  if (!kept) return null;
  if (kept.requestHash !== hash) throw new ShopError("idempotency_reused");
  if (kept.httpStatus === null) return null;
  return kept.body
    ? { kind: "replay", status: kept.httpStatus, body: kept.body.answer }
    : { kind: "run", repeated: true };
}

/** Keeps a success for replay; `answer` undefined (it holds a secret) keeps only that it succeeded. */
export async function storeResponse(
  { owner, key }: IdempotentRequest,
  status: number,
  answer: unknown,
): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set({ httpStatus: status, body: answer === undefined ? null : { answer } })
    .where(and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key)));
}

/** Gives the key back after a refusal: nothing was done, so the same request may be tried again. */
export async function releaseIdempotencyKey({ owner, key }: IdempotentRequest): Promise<void> {
  await db
    .delete(idempotencyKeys)
    .where(
      and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key), isNull(idempotencyKeys.httpStatus)),
    );
}

/** Removes what is older than a day; for the sweeper. */
export async function deleteExpiredIdempotencyKeys(): Promise<void> {
  await db
    .delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, sql`shop_now() - interval '24 hours'`));
}
