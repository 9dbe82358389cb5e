import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { sandboxRequests } from "@/db/schema/sandbox";
import { commitAndDeliver } from "./events";
import {
  type Params,
  parseForm,
  respond,
  SandboxError,
  type SandboxRequest,
  type SandboxResponse,
} from "./http";

const isOlderThanADay = sql`${sandboxRequests.createdAt} < shop_now() - interval '24 hours'`;

/**
 * Runs a write once for each Idempotency-Key, as Stripe does: the same key and parameters get the first response again
 * (an error too), other parameters get `idempotency_error`. Key and change are committed together.
 */
export function runOnce(
  request: SandboxRequest,
  call: (tx: Tx, params: Params) => Promise<unknown>,
): Promise<SandboxResponse> {
  const { method, url, idempotencyKey: key, body } = request;
  const parameters = `${method} ${url.pathname} ${new URLSearchParams(body)}`;
  return commitAndDeliver(async (tx) => {
    const run = () => respond(() => call(tx, body.startsWith("{") ? JSON.parse(body) : parseForm(body)));
    if (!key) return run();
    // A concurrent request with the same key waits in this statement until the first one has committed.
    const claimed = await tx.execute<{ key: string }>(sql`
      insert into sandbox_requests (key, parameters) values (${key}, ${parameters})
      on conflict (key) do update set parameters = excluded.parameters, http_status = null, body = null, created_at = shop_now()
      where ${isOlderThanADay} returning key`);
    if (claimed.length === 0) return replay(tx, key, parameters);
    const response = await run();
    await tx
      .update(sandboxRequests)
      .set({ httpStatus: response.status, body: response.body })
      .where(eq(sandboxRequests.key, key));
    return response;
  });
}

async function replay(tx: Tx, key: string, parameters: string): Promise<SandboxResponse> {
  const [earlier] = await tx.select().from(sandboxRequests).where(eq(sandboxRequests.key, key));
  if (earlier?.parameters === parameters)
    return { status: earlier.httpStatus ?? 500, body: earlier.body, replayed: true };
  return respond(async () => {
    throw new SandboxError(400, {
      type: "idempotency_error",
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. (Key: ${key})`,
    });
  });
}

export async function deleteExpiredSandboxResponses(): Promise<void> {
  await db.delete(sandboxRequests).where(isOlderThanADay);
}
