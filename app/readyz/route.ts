import { hasJournal, holdsCodesBack } from "@/lib/delivery/journal/read-journal";
import { isDatabaseFull } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { isDatabaseDown, isShopKnownClosed, processState } from "@/lib/platform/process-state";
import { readiness } from "@/lib/platform/readiness";

export const dynamic = "force-dynamic";

/**
 * Whether this instance may receive traffic (docs/reliability.md#health). `?stale=ok`: also when it can only send
 * cached pages.
 */
export async function GET(request: Request): Promise<Response> {
  const takesStale = new URL(request.url).searchParams.get("stale") === "ok";
  const report = await readiness({
    draining: processState.draining ?? false,
    database: { down: isDatabaseDown(), full: isDatabaseFull() },
    shop: isShopKnownClosed() ? "closed" : "open",
    codesHeldBack: hasJournal() ? holdsCodesBack : undefined,
    env: env(),
    stale: takesStale && processState.pages?.sendsStale(),
  });
  return Response.json(report, {
    status: report.ready ? 200 : 503,
    headers: { "cache-control": "no-store" },
  });
}
