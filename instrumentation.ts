import { isDatabaseFailure } from "@/lib/platform/database-failure";
import { currentRequest } from "@/lib/platform/request-scope";

/** Called once when Next starts. Next builds this file for its edge runtime too, which has no process to end. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build") return;
  const { requireServerEntry } = await import("@/lib/platform/server-entry");
  requireServerEntry();
  const { startTelemetry } = await import("@/lib/platform/telemetry/start");
  await startTelemetry("server");
}

/**
 * Called by Next for each error of a page or route. If the database caused it, server.ts responds with 503 in Next's place;
 * any other one is logged with its request, and so reported (docs/operations.md#traces-and-error-reports).
 */
export async function onRequestError(
  error: unknown,
  _request?: unknown,
  { routePath }: { routePath?: string } = {},
): Promise<void> {
  if (isDatabaseFailure(error)) return currentRequest()?.onDatabaseFailure?.();
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { log } = await import("@/lib/platform/log");
  log.error({ err: error, route: routePath }, "render failed");
}
