import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type RequestOptions,
  type Server,
} from "node:http";
import { buffer } from "node:stream/consumers";

/** Marks a request of this process to itself; `sanitizeHeaders` removes it from every request. */
export const LOOPBACK_HEADER = "x-loopback";

const TIMEOUT_MS = 60_000;

export type LoopbackResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };
/** Runs the handler of one loopback request, for example inside an AsyncLocalStorage. */
export type RunHandler = (handle: () => Promise<void>) => Promise<void>;

const runPlainly: RunHandler = (handle) => handle();

/**
 * Requests of this process to its own listener: Next renders a page for nobody in particular, and this process reads the
 * response. The header that marks them holds a random token of this process, so that no request from outside can be
 * taken for one, and the id of the request, which ties the handler to what asked for it.
 */
export class Loopback {
  private readonly token = randomBytes(32).toString("base64url");
  private readonly agent = new Agent({ keepAlive: true });
  private readonly running = new Map<string, RunHandler>();
  private requests = 0;

  constructor(private readonly server: Server) {}

  /** How to run the handler of a request; undefined: the request comes from outside. */
  recognize(headers: IncomingHttpHeaders): RunHandler | undefined {
    const value = headers[LOOPBACK_HEADER];
    if (typeof value !== "string") return undefined;
    const [token = "", id = ""] = value.split(" ");
    if (!isEqual(token, this.token)) return undefined;
    return this.running.get(id) ?? runPlainly;
  }

  /**
   * Sends a GET with these headers and no others.
   * @throws when the listener is closed, and when the response breaks off or takes longer than a minute
   */
  async get(
    path: string,
    headers: Record<string, string>,
    runHandler: RunHandler = runPlainly,
  ): Promise<LoopbackResponse> {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("The listener is closed.");
    this.requests += 1;
    const id = String(this.requests);
    this.running.set(id, runHandler);
    try {
      return await send({
        host: "127.0.0.1",
        port: address.port,
        path,
        agent: this.agent,
        headers: { ...headers, [LOOPBACK_HEADER]: `${this.token} ${id}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } finally {
      this.running.delete(id);
    }
  }

  stop(): void {
    this.agent.destroy();
  }
}

function send(options: RequestOptions): Promise<LoopbackResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(options, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((body) => resolve({ status, headers, body }), reject);
    });
    request.on("error", reject).end();
  });
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
