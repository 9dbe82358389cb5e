import pg from "pg";
import type { DatabaseAddress, DatabaseHost } from "@/lib/platform/database-address";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import { isSelected, targetOf } from "./connect";
import type { HostSelector } from "./host-selector";

// Connections of the driver pg, which the queue needs, and which alone limits the time of a statement and tells when a
// connection ends. Pages have no need of it, so Next does not bundle it.

/** What pg throws, without a code, when a connection is not made within `connectionTimeoutMillis`. */
const CONNECT_TIMEOUT_MESSAGE = "timeout expired";

/** The options of the driver for a host of an address. */
const clientOptions = (
  { user, password, database, tls }: DatabaseAddress,
  { host, port }: DatabaseHost,
): pg.ClientConfig => ({ host, port, user, password, database, ssl: tls });

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
  // The pool accepts a class of client, but its types ask for one that is created without arguments too.
  return new pg.Pool({ ...config, Client: PoolClient as unknown as pg.PoolConfig["Client"] });
}
