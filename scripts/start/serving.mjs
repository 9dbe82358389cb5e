import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getStartTime } from "./process-start.mjs";

/** The servers that serve from a build, each with its own file in this folder of the build. */
const FOLDER = "serving";

/**
 * Records that a process serves a build, so that no other build replaces its files. Returns a function that removes the
 * record. A read-only build cannot be replaced, and needs no record.
 */
export function recordServing(build, { pid, address }) {
  const path = join(build, FOLDER, `${pid}.json`);
  try {
    mkdirSync(join(build, FOLDER), { recursive: true });
    writeFileSync(path, JSON.stringify({ pid, birth: getStartTime(pid) ?? "", address }));
  } catch {
    return () => {};
  }
  return () => rmSync(path, { force: true });
}

/** A running process that serves from a build, with its address; undefined if there is none. */
export function findServing(build) {
  for (const name of listNames(join(build, FOLDER))) {
    try {
      const { pid, birth, address } = JSON.parse(readFileSync(join(build, FOLDER, name), "utf8"));
      if (birth !== "" && getStartTime(pid) === birth) return { pid, address };
    } catch {
      // It has just ended, or its note was cut off by a full disk.
    }
  }
  return undefined;
}

function listNames(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
