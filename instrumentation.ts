import { isDatabaseFailure } from "@/lib/platform/database-failure";
import { currentRequest } from "@/lib/platform/request-scope";

/** Called once when Next starts. Next builds this file for its edge runtime too, which has no process to end. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build") return;
  const { requireServerEntry } = await import("@/lib/platform/server-entry");
  requireServerEntry();
}

/** Called by Next for each error of a page. If the database caused it, server.ts responds with 503 in Next's place. */
export function onRequestError(error: unknown): void {
  if (isDatabaseFailure(error)) currentRequest()?.onDatabaseFailure?.();
}
