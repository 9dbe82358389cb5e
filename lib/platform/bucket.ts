import { AwsClient } from "aws4fetch";
import { env } from "./env";
import { log } from "./log";
import { withTimeout } from "./with-timeout";

/** A bucket of S3 or of a compatible store, or a folder in it. Keys are relative to that folder. */
export type Bucket = {
  /** Stores an object; resolves once the store has confirmed it. */
  put(key: string, body: Uint8Array<ArrayBuffer>, headers?: Record<string, string>): Promise<void>;
  /** The content of an object; undefined when there is none. */
  get(key: string): Promise<Buffer<ArrayBuffer> | undefined>;
  /** The objects below a prefix, in the order of their keys. */
  list(prefix?: string): AsyncGenerator<StoredObject>;
  /** Removes an object; does nothing when there is none. */
  delete(key: string): Promise<void>;
};

export type StoredObject = { key: string; bytes: number; modifiedAt: Date };

/** A request to the store that failed. The message names status and key, no secret. */
export class BucketError extends Error {
  override name = "BucketError";
}

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

/**
 * Opens `name` or `name/folder` at the store of S3_ENDPOINT. Requests are signed (AWS signature version 4) with the hash of
 * their body, and address the bucket by path, which every compatible store understands.
 */
export function openBucket(location: string): Bucket {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env();
  const endpoint = S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`;
  const [name = "", ...folders] = location.split("/").filter(Boolean);
  const folder = folders.map((part) => `${part}/`).join("");
  const client = new AwsClient({
    accessKeyId: S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: S3_SECRET_ACCESS_KEY ?? "",
    region: S3_REGION,
    service: "s3",
    retries: RETRIES,
  });
  const url = (key: string) => `${endpoint}/${name}/${encodeKey(folder + key)}`;

  async function send(method: string, address: string, { body, headers }: Content = {}): Promise<Response> {
    const hash = await crypto.subtle.digest("SHA-256", body ?? new Uint8Array());
    try {
      return await client.fetch(address, {
        method,
        body,
        headers: { ...headers, "x-amz-content-sha256": Buffer.from(hash).toString("hex") },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new BucketError(`the store at ${endpoint} does not answer`, { cause: error });
    }
  }

  async function sendChecked(method: string, key: string, content?: Content): Promise<Response> {
    const response = await send(method, url(key), content);
    if (response.ok) return response;
    throw new BucketError(`the store answers ${response.status} to ${method} ${folder}${key}`);
  }

  return {
    async put(key, body, headers) {
      const response = await sendChecked("PUT", key, { body, headers });
      await response.arrayBuffer();
    },
    async get(key) {
      const response = await send("GET", url(key));
      if (response.status === 404) return void (await response.arrayBuffer());
      if (!response.ok) throw new BucketError(`the store answers ${response.status} to GET ${folder}${key}`);
      return Buffer.from(await response.arrayBuffer());
    },
    async *list(prefix = "") {
      for (let token: string | undefined; ; ) {
        // Keys come percent-encoded, so that they need no decoding of XML.
        const query = new URLSearchParams({
          "list-type": "2",
          "encoding-type": "url",
          prefix: folder + prefix,
        });
        if (token) query.set("continuation-token", token);
        const response = await send("GET", `${endpoint}/${name}?${query}`);
        if (!response.ok) throw new BucketError(`the store answers ${response.status} to a list of ${name}`);
        const page = parseList(await response.text());
        for (const object of page.objects) yield { ...object, key: object.key.slice(folder.length) };
        if (!page.next) return;
        token = page.next;
      }
    },
    async delete(key) {
      const response = await send("DELETE", url(key));
      await response.arrayBuffer();
      if (!response.ok && response.status !== 404)
        throw new BucketError(`the store answers ${response.status} to DELETE ${folder}${key}`);
    },
  };
}

const OPTIONAL_READ_MS = 3_000;
const PAUSE_MS = 10_000;
const LOG_EVERY_MS = 60_000;

/** Runs a read; undefined when the store refuses it, takes longer than three seconds, or has just failed. */
export type OptionalRead = <T>(read: () => Promise<T>) => Promise<T | undefined>;

/**
 * Reads of a store that may be away. After a failure the store is left out for ten seconds, so that no request waits for it;
 * the failure is logged, once a minute at most. `location` is the bucket that the log names.
 */
export function optionalReads(location: string, clock: { now(): number } = performance): OptionalRead {
  const late = () => new BucketError(`the store does not answer within ${OPTIONAL_READ_MS} ms`);
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return async (read) => {
    if (clock.now() < pausedUntil) return undefined;
    try {
      return await withTimeout(read(), OPTIONAL_READ_MS, late);
    } catch (error) {
      const now = clock.now();
      pausedUntil = now + PAUSE_MS;
      if (now - loggedAt >= LOG_EVERY_MS) {
        loggedAt = now;
        log.error({ err: error, bucket: location }, "reading a bucket failed");
      }
      return undefined;
    }
  };
}

type Content = { body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> };

const encodeKey = (key: string) => key.split("/").map(encodeURIComponent).join("/");

/** A page of ListObjectsV2. Its values contain no markup: keys are percent-encoded, the others are numbers, times and tokens. */
function parseList(xml: string): { objects: StoredObject[]; next: string | undefined } {
  const value = (text: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1];
  const contents = xml.match(/<Contents>.*?<\/Contents>/gs) ?? [];
  const objects = contents.map((entry) => ({
    key: decodeURIComponent((value(entry, "Key") ?? "").replaceAll("+", " ")),
    bytes: Number(value(entry, "Size")),
    modifiedAt: new Date(value(entry, "LastModified") ?? 0),
  }));
  const next = value(xml, "NextContinuationToken");
  return { objects, next: next?.replaceAll("&amp;", "&") };
}
