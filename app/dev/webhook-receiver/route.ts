import { setTimeout as wait } from "node:timers/promises";
import { sandboxReceiverUrl } from "@/lib/webhooks/sandbox-receiver";

/** Longer than an attempt may take. */
const LATE_MS = 12_000;

/**
 * The sandbox's own receiver of webhooks: answers 200, or what the endpoint's address asks for: `?answer=500`, `410`, `late`. It keeps
 * nothing, and does not exist where payments are real.
 */
export async function POST(request: Request): Promise<Response> {
  if (!sandboxReceiverUrl()) return new Response(null, { status: 404 });
  const { type } = ((await request.json().catch(() => null)) ?? {}) as { type?: unknown };
  const answer = new URL(request.url).searchParams.get("answer");
  if (answer === "late") await wait(LATE_MS, undefined, { ref: false });
  const status = answer === "500" || answer === "410" ? Number(answer) : 200;
  return Response.json({ received: status === 200, type: String(type ?? "") }, { status });
}
