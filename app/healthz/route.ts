export const dynamic = "force-dynamic";

/** Whether this process runs (docs/reliability.md#health). */
export const GET = (): Response => Response.json({ ok: true }, { headers: { "cache-control": "no-store" } });
