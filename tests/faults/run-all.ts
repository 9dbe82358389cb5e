import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase } from "@/db/client";
import { sealCustody } from "@/lib/delivery/custody/commands";
import { AUDIT_RULES, auditCustody, auditSale } from "./audit";
import { findPlaintext, publicPages } from "./plaintext-search";
import type { MailServer } from "./mail-server";
import { openStand } from "./deployment";
import { untilAtRest } from "./deployment-sales";
import { type Line, lineOf } from "./table";
import { domainTrials, knownCodes } from "./concurrency-trials";
import { type Postgres, postgresKills, randomKills } from "./kill-trials";
import { rotation } from "./key-rotation-trial";
import * as trial from "./deployment-trials";
import { everyStatement } from "./kill-at-write-trial";

export type Run = {
  /** 1 is the full run. */
  size: number;
  seed: number;
  /** Only the parts whose names are given. */
  only?: string[];
  /** When the kills come to their end, whatever their count. */
  until: number;
  databaseUrl: string;
  dataDir: string;
  mail: MailServer;
  postgres: Postgres;
  /** Called after each part, so that an interrupted run keeps its results. */
  onLine?: (part: string, line: Line) => void;
};

/** What a run found, by the names of its parts, and of what the stand was made. */
export type Found = { lines: Map<string, Line>; place: string };

/** All parts, in the table's order. */
export const PARTS = [
  ...domainTrials((full) => full, 0).map(([name]) => name),
  ...["rush", "rollbacks", "rotation", "webhooks", "mail", "provider-network", "database-network", "skew"],
  ...["kill-app", "kill-worker", "statements", "kill-postgres", "afterwards"],
];

/** Every part in order; one that fails does not keep the others from running. */
export async function runAll(run: Run): Promise<Found> {
  const lines = new Map<string, Line>();
  const n = (full: number, least = 1) => Math.max(least, Math.round(full * run.size));
  const runParts = async (parts: [string, () => Promise<Line>][]) => {
    for (const [name, start] of parts)
      if (!run.only || run.only.includes(name) || name === "afterwards") {
        const line = await start();
        lines.set(name, line);
        run.onLine?.(name, line);
      }
  };
  await runParts(domainTrials(n, run.seed));

  const logDir = join(run.dataDir, "logs");
  const { databaseUrl, dataDir, mail, seed } = run;
  const stand = await openStand({ databaseUrl, dataDir, logDir, mail, real: true });
  try {
    const options = (count: number) => ({ stand, seed, n: count });
    await runParts([
      ["rush", () => trial.rush(options(n(1000, 50)))],
      ["rollbacks", () => trial.rollbacks(options(n(1000, 50)))],
      ["rotation", () => rotation(options(n(60, 6)))],
      ["webhooks", () => trial.webhooksLost(options(n(100, 5)))],
      ["mail", () => trial.mailOutage(options(n(60, 5)), n(30, 10))],
      [
        "provider-network",
        () =>
          trial.networkTrouble(
            options(20),
            "provider",
            ["latency", "reset", "half_open", "drop", "junk"],
            4000,
          ),
      ],
      [
        "database-network",
        () => trial.networkTrouble(options(20), "database", ["latency", "reset", "half_open", "drop"], 3000),
      ],
      ["skew", () => trial.skewedClocks(options(n(60, 5)))],
      ["kill-app", () => randomKills(options(n(250, 2)), "app", run.until)],
      ["kill-worker", () => randomKills(options(n(250, 2)), "worker", run.until)],
      ["statements", () => everyStatement(stand, Math.min(1, run.size), seed)],
      ["kill-postgres", () => postgresKills(options(n(20, 1)), run.postgres)],
    ]);
    await runParts([
      ["afterwards", () => afterwards(stand.address, [...stand.logs, join(dataDir, "postgres.log")], seed)],
    ]);
    return { lines, place: stand.balancer };
  } finally {
    await stand.stop();
    await closeDatabase();
  }
}

/** At the end of all: the audit over the whole database, every custody chain, and no code in clear anywhere. */
export const afterwards = (address: string, logs: string[], seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "Afterwards: audit, custody, and no code in clear",
      trial: "a rule over the whole database, or a table, log or public page searched",
      seed,
    },
    async (line) => {
      await untilAtRest(180);
      line.violations.push(...(await auditSale({ atRest: true })));
      await sealCustody({ all: true }); // the workers do it once a minute
      const { broken, events } = await auditCustody();
      line.violations.push(...broken);
      const codes = await knownCodes();
      const written = logs.filter((log) => existsSync(log) && statSync(log).size > 0);
      if (written.length < 4) line.violations.push(`only ${written.length} logs hold anything`);
      const { found, searched } = await findPlaintext(codes, written, await publicPages(address));
      line.violations.push(...found.map((place) => `a code stands in clear in ${place}`));
      line.trials = AUDIT_RULES + searched;
      const control = await findPlaintext(["shopper-"], [], []);
      if (!control.found.includes("table public.users"))
        line.violations.push("the search finds nothing at all");
      line.control =
        `${events.toLocaleString("en")} custody events walked; ${codes.length} codes sought in ${searched} places; ` +
        "an address that is there was found";
    },
  );
