import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { env } from "@/lib/platform/env";
import { isComplete } from "@/tests/setup/rounds";
import { SEED } from "@/tests/setup/shopper";
import { twoReleases } from "./release-trials";

afterAll(closeDatabase);

const runReleases = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "releases-"));
  chmodSync(dataDir, 0o755); // as root, the releases run as nobody
  try {
    const { DATABASE_URL: databaseUrl } = env();
    const { violations, trials } = await twoReleases({ databaseUrl, dataDir, seed: SEED, loads: 20 });
    expect(violations).toEqual([]);
    expect(trials).toBe(40);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
};

/** Two builds on a busy machine. */
const LIMIT_MS = 3_600_000;

// Builds take minutes, so `npm test` leaves this to `npm run test:all`.
if (isComplete)
  it(
    "a page of either release gets its scripts while both serve, and one of the older release afterwards",
    runReleases,
    LIMIT_MS,
  );
