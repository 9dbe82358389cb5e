import { checkServerIdentity } from "node:tls";
import postgres from "postgres";
import { parseDatabaseAddress } from "@/lib/platform/database-address";

/** Options of postgres.js beside the address. */
type SqlOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/**
 * A pool of postgres.js. Every connection to Postgres is made here and in connect-pg.ts, so that both drivers (postgres.js, and
 * pg, which the queue needs) read an address the same way, also TLS with a CA of your own (docs/operations.md#databases).
 * @throws Error when the address is wrong (parseDatabaseAddress)
 */
export function openSql(url: string, options: SqlOptions = {}): postgres.Sql {
  const { host, port, user, password, database, tls } = parseDatabaseAddress(url);
  const connection: SqlOptions = {
    ...(host.startsWith("/") && { path: `${host}/.s.PGSQL.${port}` }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ssl: tls && { checkServerIdentity: identityCheck(host), ...tls },
  };
  // In arrays, because the driver splits a text at colons, which IPv6 has too. Its types know them for several hosts only.
  Object.assign(connection, { host: [host], port: [port] });
  return postgres("", { onnotice: () => {}, ...options, ...connection });
}

/**
 * Checks the name of a server. For an IP address, postgres.js gives Node no name, which would then check the certificate for
 * "localhost".
 */
const identityCheck =
  (host: string): typeof checkServerIdentity =>
  (_, certificate) =>
    checkServerIdentity(host, certificate);
