import { randomUUID } from "node:crypto";
import { chownSync, linkSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getStartTime } from "./process-start.mjs";

export type ProcessMark = { pid: number; birth: string };

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

/**
 * Replaces a file atomically, readable by its owner only. A file written by root belongs to the owner of the folder.
 */
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

/** Takes a lock file for this process, or returns its holder. A lock whose process no longer runs is taken over. */
export function takeLock<T extends object>(path: string, note: T): LockResult<T> {
  const own = { ...getProcessMark(process.pid), ...note, id: randomUUID() };
  for (;;) {
    if (createOnce(path, own)) return { release: () => releaseLock(path, own.id) };
    const found = readJson<ProcessMark & T & { id: string }>(path);
    if (found && isRunning(found)) return { heldBy: found };
    removeStale(path, found?.id);
  }
}

/** Runs `work` while holding the lock. Waits up to `seconds` for another holder. */
export async function withLock<R>(path: string, seconds: number, work: () => Promise<R>): Promise<R> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const lock = takeLock(path, {});
    if ("release" in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (Date.now() > deadline)
      throw new Error(`${path} is held by process ${lock.heldBy.pid}, which does not release it.`);
    await sleep(100);
  }
}

function createOnce(path: string, content: object): boolean {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  try {
    linkSync(draft, path); // a link appears with its content, so no process reads an incomplete lock
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

function removeStale(path: string, id: string | undefined) {
  const staleLock = `${path}.${randomUUID()}`;
  try {
    renameSync(path, staleLock);
  } catch {
    return;
  }
  // Another process may have taken the stale lock over in the meantime: then its lock is restored.
  if (readJson<{ id: string }>(staleLock)?.id !== id) {
    try {
      linkSync(staleLock, path);
    } catch {}
  }
  unlinkSync(staleLock);
}

function releaseLock(path: string, id: string) {
  if (readJson<{ id: string }>(path)?.id === id) unlinkSync(path);
}
