import { randomUUID } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { db, transaction } from "@/db/client";
import { ShopError } from "@/lib/platform/errors";
import { refusalResponse } from "@/lib/platform/http/refusal";
import { enqueue } from "@/lib/platform/jobs/queue";
import { processState } from "@/lib/platform/process-state";

/** The job that regenerates a file, unless another one has replaced `version` before. */
export const MakeFile = {
  name: "make-file",
  schema: z.object({ path: z.string(), version: z.string().nullable() }),
};

/** The front (deploy/nginx) asks every second whether its copy is current; other caches may keep a file for five minutes. */
export const FILE_CACHE_CONTROL =
  "public, max-age=300, s-maxage=1, stale-while-revalidate=1, stale-if-error=600";
/**
 * A file is valid for a minute, or for 20 times as long as it took to generate if that is longer, so that generating it
 * takes at most 5 % of the time.
 */
const KEPT_MS = 60_000;
const KEPT_TIMES = 20;
/** How long a reader waits for a file that does not exist yet or has changed. */
const WAIT_MS = 10_000;
const POLL_MS = 100;
const PART_BYTES = 256 * 1024;

type Version = { version: string; age_ms: number; took_ms: number };
type FileOptions = {
  /** Its content type. */
  type: string;
  /** The file shows what this tag stands for (lib/platform/page-cache/tags.ts). */
  tag: string;
  headers?: Record<string, string>;
};

/**
 * Sends a complete file that the worker generates once for all readers, so that a reader holds neither a database
 * connection nor a copy of it. When it is old, the first reader has it regenerated and gets the stored one; when it has
 * changed, or there is none, the reader waits for up to ten seconds and then gets 503.
 */
export async function sendGeneratedFile(
  request: Request,
  path: string,
  { type, tag, headers }: FileOptions,
): Promise<Response> {
  const found = await findCurrent(path, tag);
  if (!found) return refusalResponse(request, new ShopError("unavailable"));
  const etag = `"${found.version}"`;
  const all = { ...headers, ETag: etag, "Cache-Control": FILE_CACHE_CONTROL };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: all });
  // Next removes the Content-Encoding of a response, and compresses it itself.
  const text = toStream(readParts(found.version)).pipeThrough(new DecompressionStream("gzip"));
  return new Response(text, { headers: { ...all, "Content-Type": type } });
}

async function findCurrent(path: string, tag: string): Promise<Version | undefined> {
  const found = await findVersion(path);
  const hasChanged =
    found && found.age_ms >= (processState.pages?.changedMsAgo(tag) ?? Number.POSITIVE_INFINITY);
  if (found && !hasChanged && found.age_ms < Math.max(KEPT_MS, KEPT_TIMES * found.took_ms)) return found;
  const payload = { path, version: found?.version ?? null };
  await enqueue(db, MakeFile, payload, { jobKey: `make-file ${path}`, maxAttempts: 3 });
  if (found && !hasChanged) return found;
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await wait(POLL_MS)) {
    const made = await findVersion(path);
    if (made && made.version !== found?.version) return made;
  }
  return found;
}

async function findVersion(path: string): Promise<Version | undefined> {
  const [row] = await db.execute<Version>(sql`
    select version, took_ms, (extract(epoch from shop_now() - made_at) * 1000)::float8 as age_ms
    from generated_files where path = ${path}`);
  return row;
}

const toStream = (parts: AsyncGenerator<Buffer>) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: () => parts.return(undefined).then(() => {}),
  });

/** Each part is a separate statement, so that a slow reader holds no connection. */
async function* readParts(version: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const [row] = await db.execute<{ bytes: Buffer }>(
      sql`select bytes from generated_file_parts where version = ${version} and part = ${part}`,
    );
    if (!row) return;
    yield row.bytes;
  }
}

/** Writes a new version of a file, which readers get once it is complete. */
export async function writeGeneratedFile(
  { path, version: replaced }: z.output<typeof MakeFile.schema>,
  texts: AsyncIterable<string>,
): Promise<void> {
  if (((await findVersion(path))?.version ?? null) !== replaced) return;
  const version = randomUUID();
  const [begun] = await db.execute<{ at: string }>(sql`select shop_now() as at`);
  const startedAt = performance.now();
  let part = 0;
  const compressed = pipeline(Readable.from(texts), createGzip(), () => {});
  for await (const bytes of inParts(compressed)) {
    await db.execute(
      sql`insert into generated_file_parts (version, part, bytes) values (${version}, ${part}, ${bytes})`,
    );
    part += 1;
  }
  const tookMs = Math.ceil(performance.now() - startedAt);
  await transaction(async (tx) => {
    await tx.execute(sql`
      insert into generated_files (path, version, made_at, took_ms)
      values (${path}, ${version}, ${begun!.at}, ${tookMs})
      on conflict (path) do update set version = excluded.version,
        made_at = excluded.made_at, took_ms = excluded.took_ms`);
    await tx.execute(sql`
      delete from generated_file_parts where created_at < shop_now() - interval '1 hour'
        and version not in (select version from generated_files)`);
  });
}

async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
