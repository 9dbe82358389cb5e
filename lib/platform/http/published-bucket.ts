import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { LRUCache } from "lru-cache";
import { lookup } from "mrmime";
import { type Bucket, openBucket, optionalReads } from "@/lib/platform/bucket";
import { FILE, KEPT, type PublishedFiles } from "./published-files";

/** The time of this object is when a release last began to serve. It is written once all files of the release are there. */
const MARKS = ".releases/";
const UPLOADS_AT_ONCE = 8;
/** What is missing, and which releases there are, is asked again after this time. */
const KNOWN_MS = 10_000;
/** Files of other releases in the memory of this process. */
const MAX_BYTES = 16 * 2 ** 20;
const MAX_FILES = 2_000;

const MISSING = Buffer.alloc(0);

/** The static files of the last three releases in the bucket STATIC_BUCKET: `<id of a release>/<path of a file>`. */
export function publishedBucket(location: string, bucket: Bucket = openBucket(location)): PublishedFiles {
  const files = new LRUCache<string, Buffer>({
    max: MAX_FILES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  });
  let releases: { names: string[]; until: number } | undefined;
  const readOptional = optionalReads(location);

  async function listReleases(): Promise<string[]> {
    const marks: { name: string; at: number }[] = [];
    for await (const { key, modifiedAt } of bucket.list(MARKS))
      marks.push({ name: key.slice(MARKS.length), at: modifiedAt.getTime() });
    return marks.sort((a, b) => b.at - a.at || b.name.localeCompare(a.name)).map(({ name }) => name);
  }

  async function knownReleases(): Promise<string[]> {
    if (releases && performance.now() <= releases.until) return releases.names;
    const names = await readOptional(listReleases);
    if (names) releases = { names, until: performance.now() + KNOWN_MS };
    return releases?.names ?? [];
  }

  async function findIn(release: string, name: string): Promise<Buffer | undefined> {
    const key = `${release}/${name}`;
    const known = files.get(key);
    if (known) return known === MISSING ? undefined : known;
    const answer = await readOptional(async () => (await bucket.get(key)) ?? MISSING);
    if (!answer) return undefined;
    files.set(key, answer, answer === MISSING ? { ttl: KNOWN_MS } : {});
    return answer === MISSING ? undefined : answer;
  }

  return {
    async publish(folder, release) {
      try {
        if (!(await listReleases()).includes(release)) await upload(bucket, folder, release);
        await bucket.put(MARKS + release, Buffer.from(release));
        for (const old of (await listReleases()).slice(KEPT)) if (old !== release) await remove(bucket, old);
      } catch (error) {
        const reason = error instanceof Error ? error.message : "unknown error";
        throw new Error(`STATIC_BUCKET ${location} cannot be written to: ${reason}.`, { cause: error });
      }
    },
    async find(name, wanted) {
      if (!FILE.test(name)) return undefined;
      const known = await knownReleases();
      const first = known.filter((release) => release === wanted);
      for (const release of [...first, ...known.filter((other) => other !== wanted)]) {
        const file = await findIn(release, name);
        if (file) return file;
      }
      return undefined;
    },
  };
}

async function upload(bucket: Bucket, folder: string, release: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const put = async (path: string) => {
    const name = path.slice(join(folder, sep).length).replaceAll(sep, "/");
    const headers = { "content-type": lookup(name) ?? "application/octet-stream" };
    await bucket.put(`${release}/${name}`, await readFile(path), headers);
  };
  const lane = async () => {
    for (let path = paths.pop(); path; path = paths.pop()) await put(path);
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, lane));
}

/** The mark goes first, so that no instance asks for what is being removed. */
async function remove(bucket: Bucket, release: string): Promise<void> {
  await bucket.delete(MARKS + release);
  for await (const { key } of bucket.list(`${release}/`)) await bucket.delete(key);
}
