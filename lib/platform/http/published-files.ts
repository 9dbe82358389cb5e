import { randomUUID } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/**
 * The folder STATIC_FILES_DIR, which all instances of all releases share: `<id of a release>/<path of a file>`. A page of
 * one release may ask an instance of another one for its scripts, while both stand behind one balancer and for as long as
 * a tab stays open.
 */

/** Where the instances of all releases share their static files: a folder, or a bucket (`published-bucket.ts`). */
export type PublishedFiles = {
  /**
   * Stores the static files of this release, unless they are there, and removes those of releases before the last three.
   * Any number of instances may do this at once.
   * @throws Error of one sentence when the place cannot be written to
   */
  publish(folder: string, release: string): Promise<void>;
  /** A file of the wanted release, or else of the newest one that has it; undefined also while the place cannot be read. */
  find(name: string, wanted: string | undefined): Promise<Buffer | undefined>;
};

export const publishedFolder = (published: string): PublishedFiles => ({
  publish: (folder, release) => publishStaticFiles(folder, published, release),
  find: (name, wanted) => findPublishedFile(published, name, wanted),
});

/** How many releases keep their files. */
export const KEPT = 3;
/** The path of a file in a release. Segments of dots lead elsewhere. */
export const FILE = /^(?!\.+\/)(?:[\w.~@-]+\/(?!\.+(?:\/|$)))*[\w.~@-]+$/;

async function publishStaticFiles(folder: string, published: string, release: string): Promise<void> {
  const target = join(published, release);
  try {
    if (!(await exists(target))) {
      // A hidden folder until it is complete.
      const draft = join(published, `.${randomUUID()}`);
      await mkdir(published, { recursive: true });
      await cp(folder, draft, { recursive: true });
      await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
        await rm(draft, { recursive: true, force: true });
        if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error; // another instance was first
      });
    }
    // A release that serves again after a rollback is the newest one.
    await utimes(target, new Date(), new Date());
    for (const old of (await listReleases(published)).slice(KEPT))
      if (old !== release) await rm(join(published, old), { recursive: true, force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EROFS" && (await exists(target))) return; // published by an instance that may write
    throw new Error(`STATIC_FILES_DIR ${published} cannot be written to (${code}): mount it writable.`);
  }
}

async function findPublishedFile(
  published: string,
  name: string,
  wanted: string | undefined,
): Promise<Buffer | undefined> {
  if (!FILE.test(name)) return undefined;
  const releases = await listReleases(published);
  const first = releases.filter((release) => release === wanted);
  for (const release of [...first, ...releases.filter((other) => other !== wanted)]) {
    const file = await readFile(join(published, release, name)).catch(() => undefined);
    if (file) return file;
  }
  return undefined;
}

/** The releases that have published their files, the newest first. */
async function listReleases(published: string): Promise<string[]> {
  const names = await readdir(published).catch((): string[] => []);
  const dated = await Promise.all(
    names
      .filter((name) => !name.startsWith("."))
      .map(async (name) => {
        const found = await stat(join(published, name)).catch(() => undefined);
        return { name, time: found?.isDirectory() ? found.mtimeMs : 0 };
      }),
  );
  return dated
    .filter(({ time }) => time > 0)
    .sort((a, b) => b.time - a.time)
    .map(({ name }) => name);
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
