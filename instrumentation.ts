import { isDatabaseFailure } from "@/lib/platform/database-failure";
import { currentRequest } from "@/lib/platform/request-scope";

/** Called by Next for each error of a page. If the database caused it, server.ts responds with 503 in Next's place. */
export function onRequestError(error: unknown): void {
  if (isDatabaseFailure(error)) currentRequest()?.onDatabaseFailure?.();
}
