import { existsSync, readFileSync } from "node:fs";

/** The id of the release that runs in this folder (scripts/release.mjs), or of its build. */
export function readReleaseId(): string {
  if (!existsSync("release.json")) return readFileSync(".next/BUILD_ID", "utf8").trim();
  const release = JSON.parse(readFileSync("release.json", "utf8")) as { id: string };
  return release.id;
}
