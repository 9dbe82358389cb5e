import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { env } from "@/lib/platform/env";
import { freePort } from "@/scripts/ports";
import { isComplete } from "@/tests/setup/rounds";
import { twoReleases } from "./release-trials";
import { SEED } from "./shopper";

it("next start ends with one sentence, before it answers a request", async () => {
  const args = ["node_modules/next/dist/bin/next", "start", "-p", String(await freePort())];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  expect(await text(child.stderr)).toContain(
    "Passlane does not run under next start: use npm start, or node server.js of a release.\n",
  );
  expect(await ended).toBe(1);
});

const runReleases = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "releases-"));
  chmodSync(dataDir, 0o755); // as root, the releases run as nobody
  try {
    const { DATABASE_URL: databaseUrl } = env();
    const { violations, trials } = await twoReleases({ databaseUrl, dataDir, seed: SEED, loads: 20 });
    expect(violations).toEqual([]);
    expect(trials).toBe(20);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
};

// Two builds take minutes, so `npm test` leaves this to `npm run test:all`.
if (isComplete) it("a page of either release gets its scripts while both serve", runReleases);
