import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
export type Captured = { status: number; headers: Record<string, string>; body: Buffer };

/** Never called with a network behind it: what is written is gathered. */
class Gathered extends ServerResponse {
  readonly chunks: Buffer[] = [];
  constructor(
    request: IncomingMessage,
    private readonly done: (error?: Error) => void,
  ) {
    super(request);
  }

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    this.gather(chunk, encoding);
    const told = typeof encoding === "function" ? encoding : callback;
    if (typeof told === "function") told();
    return true;
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (chunk !== undefined && chunk !== null && typeof chunk !== "function") this.gather(chunk, encoding);
    if (this.finished) return this;
    this.finished = true;
    this.emit("finish");
    this.emit("close");
    const told = [chunk, encoding, callback].find((one) => typeof one === "function") as
      | (() => void)
      | undefined;
    told?.();
    this.done();
    return this;
  }

  override flushHeaders(): void {}

  /** Next breaks an answer off that fails half way: there is no page then. */
  override destroy(error?: Error): this {
    if (!this.finished) this.done(error ?? new Error("the page was broken off"));
    return super.destroy(error);
  }

  private gather(chunk: unknown, encoding: unknown): void {
    if (typeof chunk === "string")
      this.chunks.push(
        Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"),
      );
    else if (chunk instanceof Uint8Array) this.chunks.push(Buffer.from(chunk));
  }
}

/**
 * Has a page rendered by Next for nobody in particular: a GET without cookies, query of its own or accepted encodings.
 * `headers` is all that the page may know of whoever asks.
 */
export async function capturePage(
  handler: Handler,
  url: string,
  headers: Record<string, string>,
): Promise<Captured> {
  const request = new IncomingMessage(new Socket());
  request.method = "GET";
  request.url = url;
  request.httpVersion = "1.1";
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.headers = { ...headers };
  request.rawHeaders = Object.entries(headers).flat();
  request.push(null);
  let response!: Gathered;
  const ended = new Promise<void>((done, fail) => {
    response = new Gathered(request, (error) => (error ? fail(error) : done()));
  });
  await Promise.all([handler(request, response), ended]);
  return {
    status: response.statusCode,
    headers: plain(response.getHeaders()),
    body: Buffer.concat(response.chunks),
  };
}

function plain(headers: OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(", ")]],
    ),
  );
}
