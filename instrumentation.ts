import { isDatabaseFailure } from "@/lib/platform/database-failure";
import { currentRequest } from "@/lib/platform/request-scope";

/** Called once when Next starts. Next builds this file for its edge runtime too, which serves nothing here. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build") return;
  const { startServing } = await import("@/lib/platform/start-serving");
  const { checkVaultKeys } = await import("@/lib/delivery/vault-keys/check-vault-keys");
  const { reportJournal } = await import("@/lib/delivery/journal/journal-keys");
  const { rejectDemoDatabase } = await import("@/lib/staff/demo/reject-demo-database");
  const { env } = await import("@/lib/platform/env");
  const rejectDemo = () => rejectDemoDatabase(env().DATABASE_DIRECT_URL, env());
  await startServing({ checks: [rejectDemo, checkVaultKeys, reportJournal] });
}

/**
 * Called by Next for each error of a page or route. If the database caused it, the page gets status 503; any other one is
 * logged with its request, and so reported (docs/operations.md#traces-and-error-reports).
 */
export async function onRequestError(
  error: unknown,
  _request?: unknown,
  { routePath }: { routePath?: string } = {},
): Promise<void> {
  if (isDatabaseFailure(error)) {
    const request = currentRequest();
    if (request) request.databaseFailed = true;
    return;
  }
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { log } = await import("@/lib/platform/log");
  log.error({ err: error, route: routePath }, "render failed");
}
