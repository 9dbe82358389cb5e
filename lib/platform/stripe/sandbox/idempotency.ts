import { eq, sql } from "drizzle-orm";
import { db, statements, type Tx } from "@/db/client";
import { sandboxRequests } from "@/db/schema/sandbox";
import { type Answer, formOf, refusal } from "./params";
import { inSandbox } from "./store";

type Call = (tx: Tx, params: Record<string, unknown>) => Promise<Answer>;
export type SandboxRequest = { method: string; url: URL; idempotencyKey: string | null; body: string };

/**
 * Runs a write once per Idempotency-Key, as Stripe does: the same key and parameters give the first answer again
 * (a refusal too), other parameters give `idempotency_error`. Key and effect are committed together.
 */
export function answerOnce(request: SandboxRequest, call: Call): Promise<Answer> {
  const { method, url, idempotencyKey: key, body } = request;
  const params = formOf(body);
  const parameters = `${method} ${url.pathname} ${new URLSearchParams(body)}`;
  return inSandbox(async (tx) => {
    if (!key) return call(tx, params);
    // A rival with the same key waits here until we have committed, and then finds our answer. After a day it is new.
    const on = statements(tx);
    const [first] = await on`
      insert into sandbox_requests as r (key, parameters) values (${key}, ${parameters})
      on conflict (key) do update set parameters = excluded.parameters, http_status = null, body = null,
        created_at = excluded.created_at
      where r.created_at < shop_now() - interval '24 hours' returning key`;
    if (!first) return replay(tx, key, parameters);
    const answer = await call(tx, params);
    await on`
      update sandbox_requests set http_status = ${answer.status}, body = ${JSON.stringify(answer.body)}::jsonb
      where key = ${key}`;
    return answer;
  });
}

async function replay(tx: Tx, key: string, parameters: string): Promise<Answer> {
  const [earlier] = await tx.select().from(sandboxRequests).where(eq(sandboxRequests.key, key));
  if (earlier?.parameters !== parameters) {
    return refusal(400, {
      type: "idempotency_error",
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. (Key: ${key})`,
    });
  }
  return { status: earlier.httpStatus ?? 500, body: earlier.body, replayed: true };
}

/** Forgets answers older than a day. */
export async function forgetOldRequests(): Promise<void> {
  await db.delete(sandboxRequests).where(sql`created_at < shop_now() - interval '24 hours'`);
}
