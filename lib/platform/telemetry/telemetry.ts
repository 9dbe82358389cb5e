/** Work whose duration and outcome are observed. */
export type Operation = {
  kind: "job" | "provider" | "statement";
  /** From the code, never a value: `create_intent`, `select orders`. */
  name: string;
  attributes?: Attributes;
};
type Attributes = Record<string, string | number | boolean>;

/** Runs work and observes it, as metrics and traces do. */
export type Observer = <T>(operation: Operation, run: () => Promise<T>) => Promise<T>;

/** A response that has ended, for metrics and the access log. */
export type ResponseRecord = {
  method: string;
  /** The pattern of its address (`route-pattern.ts`). */
  route: string;
  /** Without query and without the secret of a link. */
  path: string;
  status: number;
  /** From the request's headers to the end of the response. */
  ms: number;
  /** Bytes written to the connection, headers included. */
  bytes: number;
  requestId: string;
  /** The network of the client's address. */
  network: string;
  /** The page cache's part: hit, miss or stale. */
  cache?: "hit" | "miss" | "stale";
  /** The client disconnected before the end. */
  aborted?: true;
};

/** How a connection pool is used. */
export type PoolUse = { max: number; inUse: number };

/**
 * The running telemetry of this process. Everything is empty unless a variable enables it, and code that finds it empty
 * does nothing more.
 */
type Telemetry = {
  observers: Observer[];
  onResponse: ((record: ResponseRecord) => void)[];
  /** Takes each log line, as written to standard output. */
  onLogLine?: (line: string) => void;
  /** The id of the running trace, for log lines. */
  traceId?: () => string | undefined;
  /** Called with the seconds that a transaction waited for its connection. */
  onPoolWait?: (pool: string, seconds: number) => void;
  pools: Map<string, PoolUse>;
  /** Sends what is still kept, and stops. */
  stop: (() => Promise<void>)[];
};

// Next bundles instrumentation.ts separately from pages. Both reach the same state through globalThis.
const globals = globalThis as typeof globalThis & { passlaneTelemetry?: Telemetry };
globals.passlaneTelemetry ??= { observers: [], onResponse: [], pools: new Map(), stop: [] };
export const telemetry = globals.passlaneTelemetry;

/** Runs work under all observers; without any, it only runs it. */
export function observe<T>(operation: Operation, run: () => Promise<T>): Promise<T> {
  let observed = run;
  for (const observer of telemetry.observers) {
    const inner = observed;
    observed = () => observer(operation, inner);
  }
  return observed();
}

/** Stops telemetry at the end of a process. A failure is not reported: no one is left to read it. */
export async function stopTelemetry(): Promise<void> {
  await Promise.allSettled(telemetry.stop.map((stop) => stop()));
}
