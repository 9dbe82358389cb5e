import { checkServerIdentity } from "node:tls";
import type postgres from "postgres";
import type { DatabaseAddress, DatabaseHost } from "@/lib/platform/database-address";

/** Options of postgres.js beside the address. */
export type SqlOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/** The options of postgres.js for a host of an address. */
export function sqlOptions(address: DatabaseAddress, { host, port }: DatabaseHost): SqlOptions {
  const { user, password, database, tls } = address;
  const options: SqlOptions = {
    ...(host.startsWith("/") && { path: `${host}/.s.PGSQL.${port}` }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ssl: tls && { checkServerIdentity: identityCheck(address), ...tls },
  };
  // In arrays, because the driver splits a text at colons, which IPv6 has too. Its types know them for several hosts only.
  return Object.assign(options, { host: [host], port: [port] });
}

/**
 * Checks the name of a server. For an IP address, postgres.js gives Node no name, which would then check the certificate for
 * "localhost".
 */
const identityCheck =
  ({ hosts }: DatabaseAddress): typeof checkServerIdentity =>
  (name, certificate) => {
    const names = hosts.map(({ host }) => host);
    const checked = names.includes(name) ? [name] : names;
    const errors = checked.map((host) => checkServerIdentity(host, certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  };
