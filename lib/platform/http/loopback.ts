import { randomBytes } from "node:crypto";
import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  type Server,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { constantTimeEqual } from "@/lib/platform/crypto/hmac";
import { telemetry } from "@/lib/platform/telemetry/telemetry";

/** Marks a request of this process to itself. `sanitizeHeaders` removes it from every request. */
export const LOOPBACK_HEADER = "x-loopback";

const TIMEOUT_MS = 60_000;

export type LoopbackResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };
/** Runs the handler of one loopback request, for example inside an AsyncLocalStorage. */
export type RunHandler = (handle: () => Promise<void>) => Promise<void>;

const runDirectly: RunHandler = (handle) => handle();

/**
 * Sends requests from this process to its own listener, so that Next renders a page and this process reads the response.
 * A header marks these requests. It holds a random token of this process, so that no outside request can pass for one,
 * and the request's id, which selects the `RunHandler` of the caller.
 */
export class Loopback {
  private readonly token = randomBytes(32).toString("base64url");
  private readonly agent = new Agent({ keepAlive: true });
  private readonly running = new Map<string, RunHandler>();
  private requestCount = 0;

  constructor(private readonly server: Server) {}

  /** Returns how to run the handler of a loopback request; undefined for a request from outside. */
  recognize(headers: IncomingHttpHeaders): RunHandler | undefined {
    const value = headers[LOOPBACK_HEADER];
    if (typeof value !== "string") return undefined;
    const [token = "", id = ""] = value.split(" ");
    if (!constantTimeEqual(token, this.token)) return undefined;
    return this.running.get(id) ?? runDirectly;
  }

  /**
   * Sends a GET with these headers and no others.
   * @throws when the listener is closed, and when the response breaks off or takes longer than a minute
   */
  async get(
    path: string,
    headers: Record<string, string>,
    runHandler: RunHandler = runDirectly,
  ): Promise<LoopbackResponse> {
    this.requestCount += 1;
    const id = String(this.requestCount);
    this.running.set(id, runHandler);
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await send({ ...this.options(path, headers, id), signal });
      const { statusCode: status = 0, headers: responseHeaders } = response;
      return { status, headers: responseHeaders, body: await buffer(response) };
    } finally {
      this.running.delete(id);
    }
  }

  /**
   * Like `get`, for a response of any size: resolves once its headers are there. Its body must be read, or destroyed.
   * @throws when the listener is closed; the body fails when nothing is sent for a minute
   */
  async stream(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    return send({ ...this.options(path, headers, "stream"), timeout: TIMEOUT_MS });
  }

  private options(path: string, headers: Record<string, string>, id: string): RequestOptions {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("The listener is closed.");
    return {
      host: "127.0.0.1",
      port: address.port,
      path,
      agent: this.agent,
      headers: { ...headers, ...telemetry.traceHeaders?.(), [LOOPBACK_HEADER]: `${this.token} ${id}` },
    };
  }

  stop(): void {
    this.agent.destroy();
  }
}

function send(options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(options, resolve);
    const error = new Error("The response takes too long.");
    request
      .on("timeout", () => request.destroy(error))
      .on("error", reject)
      .end();
  });
}
