import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chownSync, linkSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export type ProcessMark = { pid: number; birth: string };

/** When a process began, in the system's own words; undefined when it does not run. Ids are reused, marks are not. */
export function getStartTime(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") {
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
        encoding: "utf8",
        env: { ...process.env, LC_ALL: "C" },
      }).trim();
    }
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function getProcessMark(pid: number): ProcessMark {
  return { pid, birth: getStartTime(pid) ?? "" };
}

export function isRunning(mark: ProcessMark | undefined): boolean {
  return mark !== undefined && mark.birth !== "" && getStartTime(mark.pid) === mark.birth;
}

export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}

/** Replaces a file in one step, readable by its owner only; root leaves it to the owner of the folder. */
export function writeJson(path: string, value: unknown) {
  const next = `${path}.${randomUUID()}`;
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  if (process.getuid?.() === 0) {
    const folder = statSync(dirname(path));
    chownSync(next, folder.uid, folder.gid);
  }
  renameSync(next, path);
}

export type LockResult<T> = { release(): void } | { heldBy: ProcessMark & T };

/** Takes a lock file for this process, or tells who holds it. A lock whose process is gone is taken over. */
export function takeLock<T extends object>(path: string, note: T): LockResult<T> {
  const mine = { ...getProcessMark(process.pid), ...note, id: randomUUID() };
  for (;;) {
    if (createOnce(path, mine)) return { release: () => releaseLock(path, mine.id) };
    const found = readJson<ProcessMark & T & { id: string }>(path);
    if (found && isRunning(found)) return { heldBy: found };
    removeStale(path, found?.id);
  }
}

/** Runs `work` while holding the lock; waits for another holder for `seconds` at most. */
export async function withLock<R>(path: string, seconds: number, work: () => Promise<R>): Promise<R> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const lock = takeLock(path, {});
    if ("release" in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (Date.now() > until)
      throw new Error(`${path} is held by process ${lock.heldBy.pid}, which does not let go.`);
    await sleep(100);
  }
}

function createOnce(path: string, content: object): boolean {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  try {
    linkSync(draft, path); // a link appears with its content, so nobody reads half a lock
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

function removeStale(path: string, id: string | undefined) {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  // Somebody else may have taken the stale lock over in between: give theirs back.
  if (readJson<{ id: string }>(aside)?.id !== id) {
    try {
      linkSync(aside, path);
    } catch {}
  }
  unlinkSync(aside);
}

function releaseLock(path: string, id: string) {
  if (readJson<{ id: string }>(path)?.id === id) unlinkSync(path);
}
