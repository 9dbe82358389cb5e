import { isDatabaseFailure } from "@/lib/platform/database-failure";
import { currentRequest } from "@/lib/platform/request-scope";

/** Called by Next for each error of a page. A page that failed because of the database is sent with 503 by server.ts. */
export function onRequestError(error: unknown): void {
  const request = currentRequest();
  if (request && isDatabaseFailure(error)) request.databaseFailed = true;
}
