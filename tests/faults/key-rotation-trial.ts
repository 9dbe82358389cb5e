import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createKeys } from "@/db/factories/catalog";
import { repositoryRoot } from "@/scripts/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { auditCustody } from "./audit";
import { seeded, sleep } from "./shopper";
import type { Stand } from "./deployment";
import { answered, buy, checkServed, newSales, planOf, type Sale, untilAtRest } from "./deployment-sales";
import { type Line, lineOf } from "./table";
import type { TrialOptions } from "./deployment-trials";

const FIRST = testEnvironment.VAULT_KEY;
const SECOND = Buffer.alloc(32, "the next vault key").toString("base64");

/**
 * Rotates the vault key while shoppers buy and reveal, as docs/operations.md describes: every process first knows both
 * keys, then `npm run keys:rotate` runs, here twice at once and once killed. A second rotation restores the old key for
 * later trials. `n` sales run during each rotation.
 */
export const rotation = ({ stand, seed, n }: TrialOptions): Promise<Line> =>
  lineOf(
    {
      invariant: "Key rotation under load hides no code",
      trial: "a code revealed while keys:rotate runs, twice at once and once killed; there and back",
      seed,
    },
    async (line) => {
      const random = seeded(seed + 4);
      const plan = await planOf(n * 2);
      await createKeys(plan.id, n * 10); // enough for a rotation of some seconds
      let resealed = 0;
      for (const [now, old] of [
        [SECOND, FIRST],
        [FIRST, SECOND],
      ] as const) {
        const variables = { VAULT_KEY: now, VAULT_KEYS_OLD: old };
        const bought = await sold(stand, await newSales(stand, Math.ceil(n / 2), plan, random));
        const later = await newSales(stand, Math.floor(n / 2), plan, random);
        await rollOut(stand, variables);
        let over = false;
        const buying = Promise.all(later.map((sale) => buy(stand, sale)));
        const revealing = Promise.all(bought.map((one) => revealUntil(one, () => over, line)));
        const began = performance.now();
        resealed += await rotate(stand, variables, random, line);
        line.heals.push(performance.now() - began);
        await buying;
        over = true;
        await revealing;
        await untilAtRest(180);
        line.violations.push(...(await checkServed(stand, [...later, ...bought.map(({ sale }) => sale)])));
      }
      line.violations.push(...(await auditCustody()).broken);
      line.control = `${resealed} codes resealed; heals is how long a rotation took`;
      await rollOut(stand, {});
    },
  );

type Bought = { sale: Sale; libraryId: string; code: string };

async function sold(stand: Stand, sales: Sale[]): Promise<Bought[]> {
  await Promise.all(sales.map((sale) => buy(stand, sale)));
  await untilAtRest(180);
  return Promise.all(
    sales.map(async (sale) => {
      const { data } = await answered(() => sale.shopper("/library"));
      const libraryId: string = data.items[0].library_id;
      const response = await answered(() => sale.shopper("/library/reveal", { library_id: libraryId }));
      return { sale, libraryId, code: response.data.code as string };
    }),
  );
}

/** The owner looks at the code again and again: it is the same each time. */
async function revealUntil({ sale, libraryId, code }: Bought, over: () => boolean, line: Line) {
  while (!over()) {
    const response = await sale.shopper("/library/reveal", { library_id: libraryId });
    // An overloaded server may answer 503; any other response must hold the key.
    if (response.code === "200" || !["0", "429", "503"].includes(String(response.status))) {
      line.trials++;
      if (response.data?.code !== code)
        line.violations.push(`${response.code} instead of the code of ${libraryId}`);
    }
    await sleep(50);
  }
}

/** One process after the other, so that the shop goes on. */
async function rollOut({ apps, workers }: Stand, variables: Record<string, string>): Promise<void> {
  for (const part of [...workers, ...apps]) {
    await part.kill();
    await part.start(variables);
  }
}

/** One rotation that is killed, then two at once; answers how many codes they resealed. */
async function rotate(
  stand: Stand,
  variables: Record<string, string>,
  random: () => number,
  line: Line,
): Promise<number> {
  const under = async () => {
    const [row] = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from key_events where event = 'resealed'`,
    );
    return row!.n;
  };
  const before = await under();
  const doomed = rotator(stand, variables);
  while ((await under()) === before && doomed.running()) await sleep(20);
  await sleep(random() * 100);
  doomed.kill();
  await doomed.ended;
  const ends = await Promise.all([1, 2].map(() => rotator(stand, variables).ended));
  // The first to end may report rows locked by the other; it is run again, as its output says.
  const last = ends.includes("0") ? "0" : await rotator(stand, variables).ended;
  if (last !== "0") line.violations.push(`the rotations ended with ${ends.join(" and ")}, then ${last}`);
  const left = await db.execute<{ vault: string; n: number }>(
    sql`select vault_key_id as vault, count(*)::int as n from keys group by 1`,
  );
  if (left.length !== 1) line.violations.push(`after the rotation: ${JSON.stringify(left)}`);
  return (await under()) - before;
}

function rotator({ environment, logs }: Stand, variables: Record<string, string>) {
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
