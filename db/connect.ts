import { Socket } from "node:net";
import { checkServerIdentity } from "node:tls";
import pg from "pg";
import postgres from "postgres";
import { type DatabaseAddress, parseDatabaseAddress } from "@/lib/platform/database-address";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import { clientOptions, HostSelector } from "./host-selector";

/** What pg throws, without a code, when a connection is not made within `connectionTimeoutMillis`. */
const CONNECT_TIMEOUT_MESSAGE = "timeout expired";

/**
 * Every connection to Postgres is made here, so that both drivers (postgres.js, and pg for the queue) read an address the same
 * way: several hosts, target_session_attrs, TLS with a CA of your own (docs/operations.md#databases).
 */
type Target = { address: DatabaseAddress; selector: HostSelector };

// Next bundles this module separately from the server entry. The copies share which host is in use through globalThis.
const globals = globalThis as typeof globalThis & { passlaneDatabaseTargets?: Map<string, Target> };
globals.passlaneDatabaseTargets ??= new Map();
const targets = globals.passlaneDatabaseTargets;

function targetOf(url: string): Target {
  let target = targets.get(url);
  if (!target) {
    const address = parseDatabaseAddress(url);
    target = { address, selector: new HostSelector(address) };
    targets.set(url, target);
  }
  return target;
}

/** True if the host must be looked for: there are several, or only one kind of session will do. */
const isSelected = ({ hosts, sessions }: DatabaseAddress) => hosts.length > 1 || sessions !== "any";

/** Options of postgres.js beside the address. */
type SqlOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/**
 * A pool of postgres.js. Each new connection goes to a host that fits the address.
 * @throws Error when the address is wrong (parseDatabaseAddress)
 */
export function openSql(url: string, options: SqlOptions = {}): postgres.Sql {
  const { address, selector } = targetOf(url);
  const { user, password, database, tls } = address;
  const { host, port } = selector.current;
  const connection: SqlOptions = {
    onnotice: () => {},
    ...options,
    ...(host.startsWith("/") && { path: `${host}/.s.PGSQL.${port}` }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ssl: tls && { checkServerIdentity: identityCheck(address), ...tls },
  };
  // In arrays, because the driver splits a text at colons, which IPv6 has too.
  const target = { host: [host], port: [port] };
  // The driver calls `socket` for each connection, but its types do not know it.
  const socket = isSelected(address) && { socket: () => openSocket(selector) };
  return postgres("", Object.assign(connection, target, socket));
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

/** A connection of the driver pg that looks for a host that fits its address when it connects. */
function createClient(url: string, options: pg.ClientConfig): pg.Client {
  const { address, selector } = targetOf(url);
  const config = { ...options, ...clientOptions(address, selector.current) };
  return isSelected(address) ? new SelectedClient(config, selector) : new pg.Client(config);
}

type OnConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

class SelectedClient extends pg.Client {
  constructor(
    config: pg.ClientConfig,
    private readonly selector: HostSelector,
  ) {
    super(config);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: OnConnected): void;
  override connect(callback?: OnConnected): Promise<pg.Client> | undefined {
    const connected = this.selectHost().then(() => super.connect());
    if (!callback) return connected;
    const tell = callback as (error: Error | null, client?: pg.Client) => void;
    connected.then((client) => tell(null, client), tell);
    return undefined;
  }

  /** `host` and `port` are read when the client connects. */
  private async selectHost(): Promise<void> {
    const { host, port } = await this.selector.select();
    Object.assign(this, { host, port });
  }
}

/**
 * A connection of the driver pg. `options` adds an application name and limits in milliseconds.
 * @throws errors of the connection; DatabaseDownError when no host fits the address
 */
export async function connectClient(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = createClient(url, options);
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

/** A pool of the driver pg. Each new connection goes to a host that fits the address. */
export function openPool(url: string, options: pg.PoolConfig): pg.Pool {
  const { address, selector } = targetOf(url);
  const config = { ...options, ...clientOptions(address, selector.current) };
  if (!isSelected(address)) return new pg.Pool(config);
  class PoolClient extends SelectedClient {
    constructor(clientConfig: pg.ClientConfig) {
      super(clientConfig, selector);
    }
  }
  return new pg.Pool({ ...config, Client: PoolClient as unknown as pg.PoolConfig["Client"] });
}
