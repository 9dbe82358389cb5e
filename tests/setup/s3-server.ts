import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export const S3_KEYS = { S3_ACCESS_KEY_ID: "AKIDTESTS", S3_SECRET_ACCESS_KEY: "secret-of-tests" };
const REGION = "us-east-1";
/** Objects of a page of a list: few, so that tests read several pages. */
const PAGE = 3;

/**
 * A small store that speaks S3: PUT, GET, DELETE of objects and ListObjectsV2. It recomputes the signature (version 4) of
 * each request and the hash of its body, and refuses with 403 what differs.
 */
export class S3Server {
  readonly objects = new Map<string, { body: Buffer; modifiedAt: Date }>();
  requests = 0;
  /** Every request fails with this status while it is set; `silent` ones are never answered. */
  failure: number | "silent" | undefined;
  /** The maximum number of concurrent requests so far; each request takes `delayMs`. */
  mostAtOnce = 0;
  delayMs = 0;
  /**
   * The number of object reads that the first ones wait for, at most five seconds, because a busy machine sends them
   * slowly.
   */
  together = 0;
  #atOnce = 0;
  address = "";
  #server = createServer(async (request, response) => {
    this.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (this.failure === "silent") return;
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    if (this.delayMs) await sleep(this.delayMs);
    const isObject = request.method === "GET" && !request.url?.includes("list-type");
    for (let ms = 0; isObject && this.mostAtOnce < this.together && ms < 5_000; ms += 5) await sleep(5);
    const { status, body } = this.#respond(request, Buffer.concat(chunks));
    this.#atOnce -= 1;
    response.writeHead(status).end(body);
  });

  async start(port = 0): Promise<Record<string, string>> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return { ...S3_KEYS, S3_ENDPOINT: this.address };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #respond(request: IncomingMessage, body: Buffer): { status: number; body?: Buffer | string } {
    if (typeof this.failure === "number") return { status: this.failure };
    if (!isSigned(request, body))
      return { status: 403, body: "<Error><Code>SignatureDoesNotMatch</Code></Error>" };
    const { pathname, searchParams } = new URL(request.url ?? "/", this.address);
    const key = decodeURIComponent(pathname.slice(1));
    switch (request.method) {
      case "PUT":
        this.objects.set(key, { body, modifiedAt: new Date() });
        return { status: 200 };
      case "DELETE":
        this.objects.delete(key);
        return { status: 204 };
      case "GET": {
        if (searchParams.get("list-type") === "2")
          return { status: 200, body: this.#list(key, searchParams) };
        const object = this.objects.get(key);
        return object ? { status: 200, body: object.body } : { status: 404 };
      }
      default:
        return { status: 405 };
    }
  }

  #list(bucket: string, query: URLSearchParams): string {
    const prefix = `${bucket}/${query.get("prefix") ?? ""}`;
    const after = query.get("continuation-token") ?? "";
    const found = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const entries = found.slice(0, PAGE).map((key) => {
      const { body, modifiedAt } = this.objects.get(key)!;
      const name = encodeURIComponent(key.slice(bucket.length + 1)).replaceAll("%2F", "/");
      return `<Contents><Key>${name}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`;
    });
    const next =
      found.length > PAGE ? `<NextContinuationToken>${found[PAGE - 1]}</NextContinuationToken>` : "";
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${entries.join("")}${next}</ListBucketResult>`;
  }
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** Recomputes the signature as the documentation of AWS describes it, independent of the client's library. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? "",
    );
  if (!parts || headers["x-amz-content-sha256"] !== sha256(body)) return false;
  const [, id, day, region, signedHeaders, signature] = parts;
  const time = String(headers["x-amz-date"]);
  if (id !== S3_KEYS.S3_ACCESS_KEY_ID || region !== REGION || !time.startsWith(day!)) return false;
  if (!signedHeaders!.split(";").includes("x-amz-content-sha256")) return false;
  const [path = "", search = ""] = (url ?? "").split("?");
  const canonicalQuery = [...new URLSearchParams(search)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
  const canonicalHeaders = signedHeaders!
    .split(";")
    .map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonicalPath = path
    .split("/")
    .map((part) => encode(decodeURIComponent(part)))
    .join("/");
  const canonical = [
    ...[method, canonicalPath, canonicalQuery, canonicalHeaders.join(""), signedHeaders],
    headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [day!, region!, "s3", "aws4_request"].reduce<Buffer | string>(
    (current, part) => hmac(current, part),
    `AWS4${S3_KEYS.S3_SECRET_ACCESS_KEY}`,
  );
  return hmac(key, toSign).toString("hex") === signature;
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
