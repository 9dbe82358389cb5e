import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createCartLine } from "@/db/factories/orders";
import { repositoryRoot } from "@/scripts/server-process";
import { makeJobsDue } from "@/tests/setup/queue";
import * as sale from "@/tests/setup/sale";
import { clearSandboxFaults, dropSandboxEvents } from "@/tests/setup/stripe-faults";
import { auditSale } from "./audit";
import { goOn, type Way } from "./resumable-sale";
import { sleep } from "./shopper";
import type { Stand } from "./deployment";
import { type Line, lineOf } from "./table";

type Doomed = { child: ChildProcess; up: Promise<void>; ended: Promise<string | null> };
type Wish = { way: Way; at: number; when: "before" | "after" };

/**
 * A process makes a sale with a coupon and a refund and is killed with -9 at one write to Postgres, the payment provider
 * or the mail provider: once before and once after each write. Another process continues the sale. With `share` below 1
 * only that share of the writes is tried.
 */
export const everyStatement = (stand: Stand, share: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "kill -9 at every statement that leaves the process",
      trial: "a kill before or after one writing of a whole sale with refund",
      seed,
    },
    async (line) => {
      await Promise.all(stand.workers.map((worker) => worker.kill()));
      await stand.atProvider("drop-events");
      dropSandboxEvents();
      const kills = share > 0 ? await wishes(stand, share, line) : [];
      let next = start(stand);
      for (const [at, when] of kills) {
        const doomed = next;
        next = start(stand); // the next process starts while this one ends
        await dieAndGoOn(stand, doomed, { way: await newWay(), at, when }, line);
      }
      next.child.kill("SIGKILL");
      line.violations.push(...(await auditSale()));
      clearSandboxFaults();
      await stand.atProvider("clear");
      await Promise.all(stand.workers.map((worker) => worker.start()));
    },
  );

/** Counts what leaves the process in a sale that nothing disturbs, then says where to kill. */
async function wishes(stand: Stand, share: number, line: Line): Promise<[number, "before" | "after"][]> {
  const undisturbed = start(stand);
  const left = await live(stand, undisturbed, { way: await newWay(), at: 0, when: "before" });
  if (left === 0) throw new Error(`nothing left the process: ${await undisturbed.ended}`);
  line.control = `${left} writings in an undisturbed sale`;
  const stride = Math.max(1, Math.round(1 / share));
  return (["before", "after"] as const).flatMap((when, offset) =>
    Array.from({ length: left }, (_, at): [number, "before" | "after"] => [at + 1, when]).filter(
      ([at]) => (at + offset) % stride === 0,
    ),
  );
}

let plan: number | undefined;

async function newWay(): Promise<Way> {
  plan ??= (await createProduct({ plans: [{ keys: 1000, type: "month" }] })).plans[0]!.id;
  const buyer = await sale.createBuyer();
  await createCartLine(buyer.id, plan);
  return { viewer: buyer.viewer, coupon: await createCoupon({ amountCents: 300, userId: buyer.id }) };
}

function start({ environment, proxies, logs }: Stand): Doomed {
  const ports = Object.values(proxies).map((proxy) => proxy.port);
  const output = openSync(logs[0]!.replace(/[^/]+$/, "one-sale.log"), "a");
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--import", "./tests/faults/kill-at-write.mjs", "tests/faults/resumable-sale-process.ts"],
    {
      cwd: repositoryRoot,
      env: {
        ...process.env,
        ...environment,
        DATABASE_POOL: "4",
        PORT: "3000",
        DIE_PORTS: ports.join(","),
      } as NodeJS.ProcessEnv,
      stdio: ["ignore", output, output, "ipc"],
    },
  );
  closeSync(output);
  const up = new Promise<void>((done) => child.once("message", () => done()));
  const ended = new Promise<string | null>((done) =>
    child.once("exit", (code, signal) => done(signal ?? `exit code ${code}`)),
  );
  return { child, up, ended };
}

/** Lets a process make its sale; answers how much left it, 0 when it did not come to the end. */
async function live(stand: Stand, { child, up, ended }: Doomed, wish: Wish): Promise<number> {
  await Promise.race([up, ended]);
  let left = 0;
  child.on("message", async (response: { pay?: string; left?: number }) => {
    if (response.left) left = response.left;
    if (!response.pay) return;
    await stand.atProvider("confirm", { client_secret: response.pay, outcome: "succeeded" });
    if (child.connected) child.send({ paid: true });
  });
  if (child.connected) child.send(wish);
  await ended;
  return left;
}

async function dieAndGoOn(stand: Stand, doomed: Doomed, wish: Wish, line: Line): Promise<void> {
  await live(stand, doomed, wish);
  const died = await doomed.ended;
  const place = `writing ${wish.at}, ${wish.when}`;
  if (died !== "SIGKILL") {
    if (died !== "exit code 0") line.violations.push(`${place}: ${died}`);
    return; // this sale needed fewer writes
  }
  line.trials++;
  const began = performance.now();
  // As worker-liveness.ts releases the jobs of dead workers (another trial kills real workers).
  await sleep(20);
  await db.execute(sql`select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker.jobs where locked_by is not null))`);
  await makeJobsDue();
  const pay = (client_secret: string) => stand.atProvider("confirm", { client_secret, outcome: "succeeded" });
  await goOn(wish.way, pay);
  line.heals.push(performance.now() - began);
  const wrong = await wrongEnd(wish.way);
  if (wrong) line.violations.push(`${place}: ${wrong}`);
}

/** One order, charged once and given back once, its key out of use, its mail sent once. */
async function wrongEnd({ viewer }: Way): Promise<string | null> {
  const [row] = await db.execute<Record<string, unknown>>(sql`
    select count(*)::int as orders, min(o.status) as status,
      sum((select count(*) from payments p join sandbox_intents i on i.id = p.intent_id where p.order_id = o.id and i.received_cents = 700 and i.refunded_cents = 700))::int as charged,
      sum((select count(*) from refunds r where r.order_id = o.id and r.state = 'succeeded'))::int as refunds,
      sum((select count(*) from keys k join order_lines l on l.id = k.order_line_id where l.order_id = o.id and k.state = 'quarantined'))::int as keys,
      sum((select count(*) from mails m where m.event = 'keys' and m.refs->>'orderId' = o.id))::int as mails
    from orders o where o.user_id = ${viewer.userId}`);
  const right = { orders: 1, status: "refunded", charged: 1, refunds: 1, keys: 1, mails: 1 };
  return JSON.stringify(row) === JSON.stringify(right) ? null : JSON.stringify(row);
}
