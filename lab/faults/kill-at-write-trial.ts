import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createCartLine } from "@/db/factories/orders";
import { repositoryRoot } from "@/scripts/start/server-process";
import { auditSale } from "@/tests/setup/audit";
import { makeJobsDue } from "@/tests/setup/queue";
import * as sale from "@/tests/setup/sale";
import { sleep } from "@/tests/setup/shopper";
import { clearSandboxFaults, dropSandboxEvents } from "@/tests/setup/stripe-faults";
import type { Deployment } from "./deployment";
import { runSale, type SaleInput } from "./resumable-sale";
import { runTrial, type TrialResult } from "./table";

type SaleProcess = { child: ChildProcess; ready: Promise<void>; ended: Promise<string | null> };
type KillPoint = { input: SaleInput; at: number; when: "before" | "after" };

/**
 * A process runs a sale with a coupon and a refund and is killed with -9 at one write to Postgres, the payment provider
 * or the mail provider: once before and once after each write. Another process continues the sale. With `share` below 1
 * only that share of the writes is tried.
 */
export const killAtEveryWrite = (deployment: Deployment, share: number, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "kill -9 at any write of a process loses nothing",
      trial: "a kill before or after one write of a complete sale with a refund",
      seed,
    },
    async (result) => {
      await Promise.all(deployment.workers.map((worker) => worker.kill()));
      await deployment.callProvider("drop-events");
      dropSandboxEvents();
      const killPoints = share > 0 ? await listKillPoints(deployment, share, result) : [];
      let next = startSaleProcess(deployment);
      for (const [at, when] of killPoints) {
        const current = next;
        next = startSaleProcess(deployment); // the next process starts while this one ends
        await killAndResume(deployment, current, { input: await createSaleInput(), at, when }, result);
      }
      next.child.kill("SIGKILL");
      result.violations.push(...(await auditSale()));
      clearSandboxFaults();
      await deployment.callProvider("clear");
      await Promise.all(deployment.workers.map((worker) => worker.start()));
    },
  );

/** Counts the writes of an uninterrupted sale and returns the points at which to kill. */
async function listKillPoints(
  deployment: Deployment,
  share: number,
  result: TrialResult,
): Promise<[number, "before" | "after"][]> {
  const uninterrupted = startSaleProcess(deployment);
  const writes = await runSaleProcess(deployment, uninterrupted, {
    input: await createSaleInput(),
    at: 0,
    when: "before",
  });
  if (writes === 0) throw new Error(`the process wrote nothing: ${await uninterrupted.ended}`);
  result.brokenVariant = `${writes} writes in an uninterrupted sale`;
  const stride = Math.max(1, Math.round(1 / share));
  return (["before", "after"] as const).flatMap((when, offset) =>
    Array.from({ length: writes }, (_, at): [number, "before" | "after"] => [at + 1, when]).filter(
      ([at]) => (at + offset) % stride === 0,
    ),
  );
}

let planId: number | undefined;

async function createSaleInput(): Promise<SaleInput> {
  planId ??= (await createProduct({ plans: [{ keys: 1000, type: "month" }] })).plans[0]!.id;
  const buyer = await sale.createBuyer();
  await createCartLine(buyer.id, planId);
  return { viewer: buyer.viewer, coupon: await createCoupon({ amountCents: 300, userId: buyer.id }) };
}

function startSaleProcess({ environment, proxies, logs }: Deployment): SaleProcess {
  const ports = Object.values(proxies).map((proxy) => proxy.port);
  const output = openSync(logs[0]!.replace(/[^/]+$/, "resumable-sale.log"), "a");
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--import", "./lab/faults/kill-at-write.mjs", "lab/faults/resumable-sale-process.ts"],
    {
      cwd: repositoryRoot,
      env: {
        ...process.env,
        ...environment,
        DATABASE_POOL: "4",
        PORT: "3000",
        KILL_PORTS: ports.join(","),
      } as NodeJS.ProcessEnv,
      stdio: ["ignore", output, output, "ipc"],
    },
  );
  closeSync(output);
  const ready = new Promise<void>((done) => child.once("message", () => done()));
  const ended = new Promise<string | null>((done) =>
    child.once("exit", (code, signal) => done(signal ?? `exit code ${code}`)),
  );
  return { child, ready, ended };
}

/** Runs the sale in a process. Returns the number of its writes, 0 when it did not finish. */
async function runSaleProcess(
  deployment: Deployment,
  { child, ready, ended }: SaleProcess,
  killPoint: KillPoint,
): Promise<number> {
  await Promise.race([ready, ended]);
  let writes = 0;
  child.on("message", async (message: { pay?: string; writes?: number }) => {
    if (message.writes) writes = message.writes;
    if (!message.pay) return;
    await deployment.callProvider("confirm", { client_secret: message.pay, outcome: "succeeded" });
    if (child.connected) child.send({ paid: true });
  });
  if (child.connected) child.send(killPoint);
  await ended;
  return writes;
}

async function killAndResume(
  deployment: Deployment,
  saleProcess: SaleProcess,
  killPoint: KillPoint,
  result: TrialResult,
): Promise<void> {
  await runSaleProcess(deployment, saleProcess, killPoint);
  const exit = await saleProcess.ended;
  const name = `write ${killPoint.at}, ${killPoint.when}`;
  if (exit !== "SIGKILL") {
    if (exit !== "exit code 0") result.violations.push(`${name}: ${exit}`);
    return; // this sale needed fewer writes
  }
  result.trials++;
  const startTime = performance.now();
  // As worker-liveness.ts releases the jobs of dead workers (another trial kills real workers).
  await sleep(20);
  await db.execute(sql`select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker.jobs where locked_by is not null))`);
  await makeJobsDue();
  const pay = (client_secret: string) =>
    deployment.callProvider("confirm", { client_secret, outcome: "succeeded" });
  await runSale(killPoint.input, pay);
  result.recoveryMs.push(performance.now() - startTime);
  const problem = await findWrongResult(killPoint.input);
  if (problem) result.violations.push(`${name}: ${problem}`);
}

/** Null for one order that was charged and refunded once, with its key taken back and one email; else the state. */
async function findWrongResult({ viewer }: SaleInput): Promise<string | null> {
  const [row] = await db.execute<Record<string, unknown>>(sql`
    select count(*)::int as orders, min(o.status) as status,
      sum((select count(*) from payments p join sandbox_intents i on i.id = p.intent_id where p.order_id = o.id and i.received_cents = 700 and i.refunded_cents = 700))::int as charged,
      sum((select count(*) from refunds r where r.order_id = o.id and r.state = 'succeeded'))::int as refunds,
      sum((select count(*) from keys k join order_lines l on l.id = k.order_line_id where l.order_id = o.id and k.state = 'quarantined')
        + (select count(*) from returned_keys r join order_lines l on l.id = r.order_line_id where l.order_id = o.id))::int as keys,
      sum((select count(*) from mails m where m.event = 'keys' and m.refs->>'orderId' = o.id))::int as mails
    from orders o where o.user_id = ${viewer.userId}`);
  const expected = { orders: 1, status: "refunded", charged: 1, refunds: 1, keys: 1, mails: 1 };
  return JSON.stringify(row) === JSON.stringify(expected) ? null : JSON.stringify(row);
}
