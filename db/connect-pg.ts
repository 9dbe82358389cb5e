import pg from "pg";
import { parseDatabaseAddress } from "@/lib/platform/database-address";
import { DatabaseDownError } from "@/lib/platform/database-failure";

// Connections of the driver pg, which the queue needs, and the only one that limits the time of a statement and reports
// when a connection ends. Pages have no need of it, so Next does not bundle it.

/** What pg throws, without a code, when a connection is not made within `connectionTimeoutMillis`. */
const CONNECT_TIMEOUT_MESSAGE = "timeout expired";

function toConfig(url: string): pg.ClientConfig {
  const { tls, ...target } = parseDatabaseAddress(url);
  return { ...target, ssl: tls };
}

/**
 * A connection of the driver pg. `options` adds an application name and limits in milliseconds.
 * @throws errors of the connection
 */
export async function connectClient(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ ...options, ...toConfig(url) });
  // A connection that breaks without a listener would end the process. Statements on it reject.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.end().catch(() => {});
    if (error instanceof Error && error.message === CONNECT_TIMEOUT_MESSAGE)
      throw new DatabaseDownError("no answer", { cause: error });
    throw error;
  }
}

/** A pool of the driver pg. */
export const openPool = (url: string, options: pg.PoolConfig): pg.Pool =>
  new pg.Pool({ ...options, ...toConfig(url) });
