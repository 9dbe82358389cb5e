import { afterAll, beforeAll, expect, it } from "vitest";
import { closeDatabase } from "@/db/client";
import { isComplete, rounds } from "@/tests/setup/rounds";
import { SEED } from "@/tests/setup/shopper";
import { type Deployment, startDeployment } from "./deployment";
import * as trial from "./deployment-trials";
import { randomKills } from "./kill-trials";
import { type MailServer, startMailServer } from "./mail-server";
import { finalChecks } from "./run-all";
import type { TrialResult } from "./table";

/** The short form of `npm run faults`: trials of the same deployment with small counts (functions.test.ts has the others). */

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  Object.assign(process.env, {
    MAIL_MODE: "resend",
    RESEND_API_KEY: "re_faults",
    RESEND_BASE_URL: `http://127.0.0.1:${mail.port}`,
  });
});
afterAll(async () => {
  await closeDatabase();
  await mail.stop();
});

const expectNoViolations = ({ invariant, trials, violations }: TrialResult) => {
  expect({ invariant, violations }).toEqual({ invariant, violations: [] });
  expect(trials).toBeGreaterThan(0);
};

it("two instances and two workers lose nothing when their dependencies fail", async () => {
  const { DATABASE_URL: databaseUrl = "", DATA_DIR: dataDir = "" } = process.env;
  const deployment: Deployment = await startDeployment({
    databaseUrl,
    dataDir,
    logDir: "test-results/deployment",
    mail,
    requireBalancer: false,
  });
  try {
    const options = (n: number) => ({ deployment, seed: SEED, n });
    expectNoViolations(await trial.rush(options(rounds(60, 16))));
    expectNoViolations(await randomKills(options(rounds(2, 1)), "app"));
    if (isComplete) {
      expectNoViolations(await trial.networkFaults(options(8), "database", ["reset"], 1500));
      expectNoViolations(await trial.mailOutage(options(5), 10));
      expectNoViolations(await trial.networkFaults(options(8), "provider", ["half_open"], 1500));
      expectNoViolations(await randomKills(options(2), "worker"));
    }
    expectNoViolations(await finalChecks(deployment.address, deployment.logs, SEED));
  } finally {
    await deployment.stop();
  }
});
