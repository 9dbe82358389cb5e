import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase } from "@/db/client";
import { HA_PARTS, haTrials } from "@/lab/ha/trials";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import { fetchPublicPages, findPlaintext } from "@/tests/faults/plaintext-search";
import { AUDIT_RULES, auditCustody, auditSale } from "@/tests/setup/audit";
import { abuseTrials } from "./abuse";
import { domainTrials, listCodes } from "./concurrency-trials";
import { databaseTrials } from "./database-trials";
import { startDeployment } from "./deployment";
import { waitUntilIdle } from "./deployment-sales";
import * as trial from "./deployment-trials";
import { keyRotation } from "./key-rotation-trial";
import { killAtEveryWrite } from "./kill-at-write-trial";
import { postgresKills, type RestartablePostgres, randomKills } from "./kill-trials";
import type { MailServer } from "./mail-server";
import { outageTrials } from "./outage-trials";
import { payoutTrial } from "./payout-trials";
import { twoReleases } from "./release-trials";
import { restoreTrial } from "./restore-trial";
import { runTrial, type TrialResult } from "./table";
import { uploadTrial } from "./upload-trial";

export type RunOptions = {
  /** 1 is the full run. */
  size: number;
  seed: number;
  /** Runs only these parts and `afterwards`. `abuse` means every part whose name begins with `abuse-`. */
  only?: string[];
  /** Time in milliseconds at which random kills stop, whatever their count. */
  until: number;
  databaseUrl: string;
  dataDir: string;
  mail: MailServer;
  postgres: RestartablePostgres;
  /** Called after each part, so that an interrupted run keeps its results. */
  onResult?: (part: string, result: TrialResult) => void;
};

/** The results of a run by part, and the name of the load balancer. */
export type RunResult = { results: Map<string, TrialResult>; balancer: string };

const isChosen = (part: string, only: string[] | undefined) =>
  !only || part === "afterwards" || only.some((name) => part === name || part.startsWith(`${name}-`));

/** Runs every part in order. A failing part does not stop the others. `ha` also asks for the restore. */
export async function runAll(options: RunOptions): Promise<RunResult> {
  const only = options.only?.includes("ha") ? [...options.only, "restore"] : options.only;
  const run = { ...options, only };
  const results = new Map<string, TrialResult>();
  const n = (full: number, minimum = 1) => Math.max(minimum, Math.round(full * run.size));
  const runParts = async (parts: [string, () => Promise<TrialResult>][]) => {
    for (const [name, start] of parts)
      if (isChosen(name, run.only)) {
        const result = await start();
        results.set(name, result);
        run.onResult?.(name, result);
      }
  };
  await runParts(domainTrials(n, run.seed));
  const outages = outageTrials(run.dataDir, run.seed);
  await runParts(outages);
  const releases: Parameters<typeof runParts>[0] = [
    [
      "releases",
      () =>
        twoReleases({ databaseUrl: run.databaseUrl, dataDir: run.dataDir, seed: run.seed, loads: n(20, 5) }),
    ],
  ];
  await runParts(releases);
  const databases = databaseTrials({ dataDir: run.dataDir, seed: run.seed, size: run.size });
  await runParts(databases.parts).finally(() => databases.stop());
  const restores: Parameters<typeof runParts>[0] = [
    [
      "restore",
      () => restoreTrial({ dataDir: run.dataDir, mail: run.mail, seed: run.seed, sales: n(60, 12) }),
    ],
  ];
  await runParts(restores);
  if (HA_PARTS.some((part) => isChosen(part, run.only))) {
    const ha = haTrials({ dataDir: run.dataDir, seed: run.seed, size: run.size, until: run.until });
    await runParts(ha.parts()).finally(() => ha.stop());
  }
  const logDir = join(run.dataDir, "logs");
  const { databaseUrl, dataDir, mail, seed, size } = run;
  const abuse = abuseTrials({ databaseUrl, dataDir, logDir, seed, size });
  await runParts(abuse.parts).finally(() => abuse.stop());
  const uploads: Parameters<typeof runParts>[0] = [
    ["uploads", () => uploadTrial({ databaseUrl, dataDir, logDir, seed, size })],
  ];
  await runParts(uploads);
  const payouts: Parameters<typeof runParts>[0] = [
    [
      "payouts",
      () => payoutTrial(databaseUrl, { merchants: n(10_000, 100), sales: n(1_000_000, 10_000) }, seed),
    ],
  ];
  await runParts(payouts);
  // Outages, restores, payouts and attacks have their own shops; without other trials there is no sale to check afterwards.
  const ownShops = [
    ...outages,
    ...releases,
    ...databases.parts,
    ...restores,
    ...abuse.parts,
    ...uploads,
    ...payouts,
  ];
  const partsWithoutSale = ownShops.map(([part]) => part).concat(HA_PARTS);
  if (run.only?.every((name) => partsWithoutSale.some((part) => isChosen(part, [name]))))
    return { results, balancer: "no load balancer" };
  const deployment = await startDeployment({ databaseUrl, dataDir, logDir, mail, requireBalancer: true });
  try {
    const options = (count: number) => ({ deployment, seed, n: count });
    await runParts([
      ["rush", () => trial.rush(options(n(1000, 50)))],
      ["rollbacks", () => trial.rollbacks(options(n(1000, 50)))],
      ["rotation", () => keyRotation(options(n(60, 6)))],
      ["webhooks", () => trial.lostWebhooks(options(n(100, 5)))],
      ["mail", () => trial.mailOutage(options(n(60, 5)), n(30, 10))],
      [
        "provider-network",
        () =>
          trial.networkFaults(
            options(20),
            "provider",
            ["latency", "reset", "half_open", "drop", "junk"],
            4000,
          ),
      ],
      [
        "database-network",
        () => trial.networkFaults(options(20), "database", ["latency", "reset", "half_open", "drop"], 3000),
      ],
      ["skew", () => trial.skewedClocks(options(n(60, 5)))],
      ["kill-app", () => randomKills(options(n(250, 2)), "app", run.until)],
      ["kill-worker", () => randomKills(options(n(250, 2)), "worker", run.until)],
      ["statements", () => killAtEveryWrite(deployment, Math.min(1, run.size), seed)],
      ["kill-postgres", () => postgresKills(options(n(20, 1)), run.postgres)],
    ]);
    await runParts([
      [
        "afterwards",
        () => finalChecks(deployment.address, [...deployment.logs, join(dataDir, "postgres.log")], seed),
      ],
    ]);
    return { results, balancer: deployment.balancer };
  } finally {
    await deployment.stop();
    await closeDatabase();
  }
}

/** Audits the whole database and every custody chain, and searches tables, logs and public pages for codes in plain text. */
export const finalChecks = (address: string, logs: string[], seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Afterwards: audit, custody, and no code in plain text",
      trial: "a rule over the whole database, or a table, log or public page searched",
      seed,
    },
    async (result) => {
      await waitUntilIdle(180);
      result.violations.push(...(await auditSale({ whenIdle: true })));
      await sealCustody({ all: true }); // the workers do it once a minute
      const { broken, events } = await auditCustody();
      result.violations.push(...broken);
      const codes = await listCodes();
      const nonEmpty = logs.filter((log) => existsSync(log) && statSync(log).size > 0);
      if (nonEmpty.length < 4) result.violations.push(`only ${nonEmpty.length} logs are not empty`);
      const { found, searched } = await findPlaintext(codes, nonEmpty, await fetchPublicPages(address));
      result.violations.push(...found.map((location) => `a code is in plain text in ${location}`));
      result.trials = AUDIT_RULES + searched;
      const knownText = await findPlaintext(["shopper-"], [], []);
      if (!knownText.found.includes("table public.users"))
        result.violations.push("the search does not find a known text");
      result.brokenVariant =
        `${events.toLocaleString("en")} custody events verified; ${codes.length} codes searched in ${searched} places; ` +
        "a known email address was found";
    },
  );
