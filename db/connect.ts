import { Socket } from "node:net";
import postgres from "postgres";
import { type DatabaseAddress, parseDatabaseAddress } from "@/lib/platform/database-address";
import { HostSelector } from "./host-selector";
import { type SqlOptions, sqlOptions } from "./sql-options";

/**
 * Every connection to Postgres is made here and in connect-pg.ts, so that both drivers (postgres.js, and pg, which the queue
 * needs) read an address the same way: several hosts, target_session_attrs, TLS with a CA of your own
 * (docs/operations.md#databases).
 */
type Target = { address: DatabaseAddress; selector: HostSelector };

// Next bundles this module separately from the server entry. The copies share which host is in use through globalThis.
const globals = globalThis as typeof globalThis & { passlaneDatabaseTargets?: Map<string, Target> };
globals.passlaneDatabaseTargets ??= new Map();
const targets = globals.passlaneDatabaseTargets;

export function targetOf(url: string): Target {
  let target = targets.get(url);
  if (!target) {
    const address = parseDatabaseAddress(url);
    target = { address, selector: new HostSelector(address) };
    targets.set(url, target);
  }
  return target;
}

/** True if the host must be looked for: there are several, or only one kind of session will do. */
export const isSelected = ({ hosts, sessions }: DatabaseAddress) => hosts.length > 1 || sessions !== "any";

/**
 * A pool of postgres.js. Each new connection goes to a host that fits the address.
 * @throws Error when the address is wrong (parseDatabaseAddress)
 */
export function openSql(url: string, options: SqlOptions = {}): postgres.Sql {
  const { address, selector } = targetOf(url);
  const connection = sqlOptions(address, selector.current);
  // The driver calls `socket` for each connection, but its types do not know it.
  const socket = isSelected(address) && { socket: () => openSocket(selector) };
  return postgres("", { onnotice: () => {}, ...options, ...connection, ...socket });
}

/**
 * A socket to the host that fits, for postgres.js. It never rejects, because the driver would lose the connection's place in
 * its pool; a socket that fails is reported like one that breaks.
 */
async function openSocket(selector: HostSelector): Promise<Socket> {
  const socket = new Socket();
  try {
    const { host, port } = await selector.select();
    // The driver reads the name of the server from its socket, and checks the certificate for it.
    Object.assign(socket, { host });
    if (host.startsWith("/")) socket.connect(`${host}/.s.PGSQL.${port}`);
    else socket.connect(port, host);
  } catch (error) {
    setImmediate(() => socket.destroy(error as Error));
  }
  return socket;
}
