import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { closeDatabase } from "@/db/client";
import { isComplete, rounds } from "@/tests/setup/rounds";
import { type MailServer, startMailServer } from "./mail-server";
import { afterwards } from "./run-all";
import { SEED } from "./shopper";
import { openStand, type Stand } from "./deployment";
import type { Line } from "./table";
import { randomKills } from "./kill-trials";
import * as trial from "./deployment-trials";

/** The short form of `npm run faults`: trials of the same stand, with small counts (functions.test.ts has the others). */
vi.setConfig({ testTimeout: 300_000 });

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  Object.assign(process.env, {
    MAIL_MODE: "resend",
    RESEND_API_KEY: "re_stand",
    RESEND_BASE_URL: `http://127.0.0.1:${mail.port}`,
  });
});
afterAll(async () => {
  await closeDatabase();
  await mail.stop();
});

const holds = ({ invariant, trials, violations }: Line) => {
  expect({ invariant, violations }).toEqual({ invariant, violations: [] });
  expect(trials).toBeGreaterThan(0);
};

it("two instances and two workers, with dependencies that break", async () => {
  const { DATABASE_URL: databaseUrl = "", DATA_DIR: dataDir = "" } = process.env;
  const stand: Stand = await openStand({
    databaseUrl,
    dataDir,
    logDir: "test-results/stand",
    mail,
    real: false,
  });
  try {
    const size = (n: number) => ({ stand, seed: SEED, n });
    holds(await trial.rush(size(rounds(60, 30))));
    holds(await trial.networkTrouble(size(8), "database", ["reset"], 1500));
    holds(await randomKills(size(2), "app"));
    if (isComplete) {
      holds(await trial.mailOutage(size(5), 10));
      holds(await trial.networkTrouble(size(8), "provider", ["half_open"], 1500));
      holds(await randomKills(size(2), "worker"));
    }
    holds(await afterwards(stand.address, stand.logs, SEED));
  } finally {
    await stand.stop();
  }
});
