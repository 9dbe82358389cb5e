import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createKeys } from "@/db/factories/catalog";
import { repositoryRoot } from "@/scripts/start/server-process";
import { auditCustody } from "@/tests/setup/audit";
import { testEnvironment } from "@/tests/setup/environment";
import { seeded, sleep } from "@/tests/setup/shopper";
import type { Deployment } from "./deployment";
import {
  buy,
  createPlan,
  createSales,
  findUnservedSales,
  retryUntilOk,
  type Sale,
  waitUntilIdle,
} from "./deployment-sales";
import type { TrialOptions } from "./deployment-trials";
import { runTrial, type TrialResult } from "./table";

const FIRST_KEY = testEnvironment.VAULT_KEY;
const SECOND_KEY = Buffer.alloc(32, "the next vault key").toString("base64");

/**
 * Rotates the vault key while shoppers buy and reveal, as docs/operations.md describes: every process first gets both
 * keys, then `npm run keys:rotate` runs, here twice at once and once killed. A second rotation restores the old key for
 * later trials. `n` sales run during each rotation.
 */
export const keyRotation = ({ deployment, seed, n }: TrialOptions): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Every code can be revealed during a key rotation",
      trial: "a reveal while keys:rotate runs, twice at once and once killed; to a new key and back",
      seed,
    },
    async (result) => {
      const random = seeded(seed + 4);
      const plan = await createPlan(n * 2);
      await createKeys(plan.id, n * 10); // enough for a rotation of some seconds
      let resealed = 0;
      for (const [current, previous] of [
        [SECOND_KEY, FIRST_KEY],
        [FIRST_KEY, SECOND_KEY],
      ] as const) {
        const variables = { VAULT_KEY: current, VAULT_KEYS_OLD: previous };
        const earlier = await buyAndReveal(
          deployment,
          await createSales(deployment, Math.ceil(n / 2), plan, random),
        );
        const later = await createSales(deployment, Math.floor(n / 2), plan, random);
        await restartAll(deployment, variables);
        let finished = false;
        const purchases = Promise.all(later.map((sale) => buy(deployment, sale)));
        const reveals = Promise.all(
          earlier.map((revealed) => revealRepeatedly(revealed, () => finished, result)),
        );
        const start = performance.now();
        resealed += await rotateKeys(deployment, variables, random, result);
        result.recoveryMs.push(performance.now() - start);
        await purchases;
        finished = true;
        await reveals;
        await waitUntilIdle(180);
        result.violations.push(
          ...(await findUnservedSales(deployment, [...later, ...earlier.map(({ sale }) => sale)])),
        );
      }
      result.violations.push(...(await auditCustody()).broken);
      result.brokenVariant = `${resealed} codes resealed; recovery is the duration of a rotation`;
      await restartAll(deployment, {});
    },
  );

type RevealedSale = { sale: Sale; libraryId: string; code: string };

async function buyAndReveal(deployment: Deployment, sales: Sale[]): Promise<RevealedSale[]> {
  await Promise.all(sales.map((sale) => buy(deployment, sale)));
  await waitUntilIdle(180);
  return Promise.all(
    sales.map(async (sale) => {
      const { data } = await retryUntilOk(() => sale.shopper("/library"));
      const libraryId: string = data.items[0].library_id;
      const response = await retryUntilOk(() => sale.shopper("/library/reveal", { library_id: libraryId }));
      return { sale, libraryId, code: response.data.code as string };
    }),
  );
}

/** The owner reveals the code repeatedly until `finished`; it must be the same each time. */
async function revealRepeatedly(
  { sale, libraryId, code }: RevealedSale,
  finished: () => boolean,
  result: TrialResult,
) {
  while (!finished()) {
    const response = await sale.shopper("/library/reveal", { library_id: libraryId });
    // An overloaded server may answer 503; any other response must hold the key.
    if (response.code === "200" || !["0", "429", "503"].includes(String(response.status))) {
      result.trials++;
      if (response.data?.code !== code)
        result.violations.push(`${response.code} instead of the code of ${libraryId}`);
    }
    await sleep(50);
  }
}

/** Restarts one process after the other, so that others continue to serve. */
async function restartAll({ apps, workers }: Deployment, variables: Record<string, string>): Promise<void> {
  for (const managed of [...workers, ...apps]) {
    await managed.kill();
    await managed.start(variables);
  }
}

/** Kills one rotation, then runs two concurrently. Returns the number of codes they resealed. */
async function rotateKeys(
  deployment: Deployment,
  variables: Record<string, string>,
  random: () => number,
  result: TrialResult,
): Promise<number> {
  const countResealed = async () => {
    const [row] = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from key_events where event = 'resealed'`,
    );
    return row!.n;
  };
  const before = await countResealed();
  const killed = startRotation(deployment, variables);
  while ((await countResealed()) === before && killed.running()) await sleep(20);
  await sleep(random() * 100);
  killed.kill();
  await killed.ended;
  const exits = await Promise.all([1, 2].map(() => startRotation(deployment, variables).ended));
  // The first to end may report rows locked by the other; it is run again, as its output says.
  const last = exits.includes("0") ? "0" : await startRotation(deployment, variables).ended;
  if (last !== "0") result.violations.push(`the rotations ended with ${exits.join(" and ")}, then ${last}`);
  const keyIds = await db.execute<{ vault: string; n: number }>(
    sql`select vault_key_id as vault, count(*)::int as n from keys group by 1`,
  );
  if (keyIds.length !== 1) result.violations.push(`after the rotation: ${JSON.stringify(keyIds)}`);
  return (await countResealed()) - before;
}

function startRotation({ environment, logs }: Deployment, variables: Record<string, string>) {
  const output = openSync(logs[0]!.replace(/[^/]+$/, "rotation.log"), "a");
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/rotate-keys.ts", "--batch", "20"], {
    cwd: repositoryRoot,
    env: {
      ...process.env,
      ...environment,
      ...variables,
      DATABASE_POOL: "4",
      PORT: "3000",
    } as NodeJS.ProcessEnv,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  const ended = new Promise<string>((done) =>
    child.once("exit", (code, signal) => done(signal ?? String(code))),
  );
  return {
    ended,
    kill: () => child.kill("SIGKILL"),
    running: () => child.exitCode === null && child.signalCode === null,
  };
}
