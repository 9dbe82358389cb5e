import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import { Logger, runOnce } from "graphile-worker";
import pg from "pg";
import { closeDatabase, db, transaction } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { sealCustody } from "@/lib/delivery/custody/seal-custody";
import { readJournal } from "@/lib/delivery/journal/read-journal";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { listWithheldPlans } from "@/lib/delivery/withheld/list-withheld-plans";
import { moveKeys } from "@/lib/delivery/withheld/move-keys";
import { expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { checkRestore } from "@/lib/orders/restore/check-restore";
import { releaseWithheldKeys } from "@/lib/orders/restore/release-withheld-keys";
import { unseal } from "@/lib/platform/crypto/vault";
import { env } from "@/lib/platform/env";
import { openShop } from "@/lib/platform/shop-closure";
import { type Database, removeDatabase, startDatabase } from "@/scripts/postgres/database";
import { stopPostmaster } from "@/scripts/postgres/postmaster";
import { readJson } from "@/scripts/start/process-lock";
import { prepareDatabase } from "@/scripts/start/server-process";
import { allJobs } from "@/scripts/work";
import { auditCustody, auditSale } from "@/tests/setup/audit";
import { sleep } from "@/tests/setup/shopper";
import { clearSandboxFaults } from "@/tests/setup/stripe-faults";
import { UnreliableProvider } from "@/tests/setup/unreliable-provider";
import type { MailServer } from "./mail-server";
import { runTrial, type TrialResult } from "./table";

type Options = { dataDir: string; mail: MailServer; seed: number; sales: number };
type Sale = { buyer: SignedInUser; orderId: string };

/**
 * A database that is restored to the middle of its sales from a base backup and its write-ahead log, checked and opened again,
 * once with the journal of assignments and once without. The provider, the mail server and the journal keep what happened
 * after the restored moment. Afterwards all stock is sold: no code is mailed to two buyers, and no payment is left without
 * order or refund.
 */
export const restoreTrial = ({ dataDir, mail, seed, sales }: Options): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Nothing is sold twice after a restore; every payment has its order or a refund",
      trial:
        "a sale before or after the moment to which the database is restored, with and without the journal",
      seed,
    },
    async (result) => {
      const folder = join(dataDir, "restore");
      const previous = {
        DATABASE_URL: env().DATABASE_URL,
        DATABASE_DIRECT_URL: env().DATABASE_DIRECT_URL,
        ASSIGNMENT_JOURNAL_DIR: env().ASSIGNMENT_JOURNAL_DIR,
      };
      try {
        const remarks: string[] = [];
        for (const keepsJournal of [true, false]) {
          await removeDatabase(folder);
          const round = await runRound({ folder, mail, sales, keepsJournal });
          result.violations.push(
            ...round.violations.map((text) => `${keepsJournal ? "with" : "without"} journal: ${text}`),
          );
          result.recoveryMs.push(round.checkMs);
          result.trials += round.sales;
          remarks.push(round.remark);
        }
        result.brokenVariant = remarks.join("; ");
      } finally {
        clearSandboxFaults();
        await closeDatabase();
        Object.assign(env(), previous);
        await removeDatabase(folder);
      }
    },
  );

type Round = {
  folder: string;
  mail: MailServer;
  sales: number;
  keepsJournal: boolean;
};

async function runRound({ folder, mail, sales, keepsJournal }: Round) {
  const violations: string[] = [];
  const provider = new UnreliableProvider();
  provider.install();
  const journal = join(folder, "journal");
  const { database, archive } = await startArchivedDatabase(folder);
  await use(database, journal);
  await prepareDatabase({ ...process.env, DATABASE_URL: database.url }, { catalog: false, account: false });
  const shop = await openStall(provider, sales);

  const base = await backUp(folder);
  await shop.sell(Math.floor(sales / 2));
  const open = await shop.placeUnpaid(6); // some are paid after the restored moment, some end
  await sleep(1_100);
  const [clock] = await db.execute<{ now: string }>(sql`select now()::text as now`);
  const since = new Date(clock!.now);
  await sleep(1_100);
  await shop.payAndDeliver(open.slice(0, 3));
  await shop.expire(open.slice(3, 5));
  await shop.sell(Math.ceil(sales / 2));
  await shop.replaceFirst();
  await shop.leaveUnpaid(); // its payment page stays open
  const lastCodes = await listHandedOut();
  await archiveLog(archive);

  await stop(folder);
  if (!keepsJournal) rmSync(journal, { recursive: true });
  const restored = await restore(folder, { archive, base, since });
  await use(restored, journal);
  const inStock = await db.execute<{ id: string }>(sql`select id from keys where state = 'available'`);
  const handedOut = new Set(lastCodes);
  const soldAgain = inStock.filter(({ id }) => handedOut.has(id)).length;
  if (soldAgain === 0)
    violations.push("without the check no code that was mailed is in stock: the trial tests nothing");
  const journaled = keepsJournal ? (await readJournal()).entries.length : 0;

  const startedAt = performance.now();
  const report = await checkRestore({ since, actor: "staff:trial" });
  const checkMs = performance.now() - startedAt;
  if (report.journal.whole !== keepsJournal)
    violations.push(`the journal counts as whole: ${report.journal.whole}`);
  if (report.payments.open.length + report.differences.length > 0)
    violations.push(`the check leaves ${JSON.stringify([report.payments.open, report.differences])}`);
  const again = await checkRestore({ since, actor: "staff:trial" });
  if (again.quarantined + again.payments.refunded.length + again.payments.recorded > 0)
    violations.push(`a second check changes something: ${JSON.stringify(again)}`);
  await openShop("staff:test");
  await shop.work();
  const withheld = await listWithheldPlans();
  if (!keepsJournal) {
    if (withheld.length === 0) violations.push("without a journal nothing is withheld");
    // Staff find out which codes are unused and revoke the others before they release the plan.
    await transaction((tx) =>
      moveKeys(tx, { keyIds: lastCodes }, { state: "revoked", actor: "staff:trial" }),
    );
    for (const { planId, version } of await listWithheldPlans())
      await releaseWithheldKeys(planId, { actor: "staff:trial", version });
  }
  await shop.restock(2);
  await shop.sellOut();
  violations.push(...(await findDoubleMails(mail)), ...(await findUnaccountedPayments(provider)));
  violations.push(...(await auditSale({ whenIdle: true })));
  await sealCustody({ all: true });
  violations.push(...(await auditCustody()).broken);
  await stop(folder);
  const { recorded, refunded, cancelled } = report.payments;
  const remark = `${keepsJournal ? "with" : "without"} the journal: ${soldAgain} mailed codes were in stock again; ${journaled} lines, ${report.quarantined} quarantined, ${withheld.reduce((sum, plan) => sum + plan.withheld, 0)} withheld, ${recorded} payments recorded, ${refunded.length} refunded, ${cancelled.length} cancelled`;
  return { violations, checkMs, sales: shop.sales(), remark };
}

/** Points this process at a database and a journal. */
async function use(database: Database, journal: string): Promise<void> {
  await closeDatabase();
  Object.assign(env(), {
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: database.url,
    ASSIGNMENT_JOURNAL_DIR: journal,
  });
}

/** Buyers, plans and sales of a round. */
async function openStall(provider: UnreliableProvider, sales: number) {
  const stock = sales + 10;
  const { plans } = await createProduct({ plans: [{ keys: stock }, { keys: stock, type: "month" }] });
  const planIds = plans.map(({ id }) => id);
  let count = 0;

  async function place(): Promise<Sale> {
    const buyer = await createSignedInUser();
    const line = await createCartLine(buyer.id, planIds[count % planIds.length]!, {
      quantity: count % 4 === 3 ? 2 : 1,
    });
    count += 1;
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: [line] }, buyer.viewer.locale);
    return { buyer, orderId: order_id };
  }
  const openPayment = ({ buyer, orderId }: Sale) => startPayment(buyer.viewer, { order_id: orderId });
  async function pay(sale: Sale): Promise<void> {
    await openPayment(sale);
    for (const intent of provider.intentsOf(sale.orderId)) provider.pay(intent.id);
    await provider.settle();
  }
  const work = async () => {
    await provider.settle();
    await runJobs();
  };

  return {
    sales: () => count,
    work,
    async sell(number: number) {
      for (let i = 0; i < number; i += 1) await pay(await place());
      await work();
    },
    async placeUnpaid(number: number) {
      const placed: Sale[] = [];
      for (let i = 0; i < number; i += 1) placed.push(await place());
      await openPayment(placed[0]!);
      return placed;
    },
    async payAndDeliver(placed: Sale[]) {
      for (const sale of placed) await pay(sale);
      await work();
    },
    async expire(placed: Sale[]) {
      for (const { orderId } of placed) {
        await db.execute(sql`update orders set hold_ends_at = shop_now() where id = ${orderId}`);
        await expireOrder(orderId);
      }
    },
    async replaceFirst() {
      const [key] = await db.execute<{ id: string; userId: string }>(sql`
        select k.id, o.user_id as "userId" from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
        where k.state = 'assigned' order by k.assigned_at, k.id limit 1`);
      const viewer = { kind: "user", userId: key!.userId } as SignedInUser["viewer"];
      await requestReplacement(viewer, { library_id: key!.id, reason: "already used" });
      const [request] = await db.execute<{ id: string }>(
        sql`select id from replacement_requests where key_id = ${key!.id}`,
      );
      await approveReplacement(request!.id, "staff:trial");
      await work();
    },
    async leaveUnpaid() {
      await openPayment(await place());
    },
    async restock(number: number) {
      for (const planId of planIds) await createKeys(planId, number);
    },
    /** Sells one key after the other until none is left. */
    async sellOut() {
      for (const planId of planIds)
        for (;;) {
          const [left] = await db.execute<{ n: number }>(
            sql`select count(*)::int as n from keys where plan_id = ${planId} and state = 'available'`,
          );
          if (left!.n === 0) break;
          const buyer = await createSignedInUser();
          const line = await createCartLine(buyer.id, planId, { quantity: 1 });
          const { order_id } = await placeOrder(
            buyer.viewer,
            { cart_record_ids: [line] },
            buyer.viewer.locale,
          );
          await pay({ buyer, orderId: order_id });
          count += 1;
        }
      await work();
    },
  };
}

/** Runs the due jobs of the database in use. */
async function runJobs(): Promise<void> {
  const pool = new pg.Pool({ connectionString: env().DATABASE_URL, max: 4 })
    .on("error", () => {})
    .on("connect", (connection) => connection.on("error", () => {}));
  try {
    await runOnce({
      pgPool: pool,
      concurrency: 4,
      noHandleSignals: true,
      taskList: Object.fromEntries(
        allJobs.map((job) => [job.name, (payload: unknown) => job.run(job.schema.parse(payload))]),
      ),
      logger: new Logger(() => () => {}),
    });
    for (let waited = 0; waited < 200; waited += 1) {
      const locked = await db.execute(
        sql`select 1 from graphile_worker.jobs where locked_by is not null limit 1`,
      );
      if (locked.length === 0) break;
      await sleep(10);
    }
  } finally {
    await pool.end();
  }
  const [failed] = await db.execute<{ name: string; error: string }>(
    sql`select task_identifier as name, last_error as error from graphile_worker.jobs where last_error is not null limit 1`,
  );
  if (failed) throw new Error(`the job ${failed.name} failed: ${failed.error}`);
}

/** The keys that were handed out, in any way. */
async function listHandedOut(): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(
    sql`select distinct key_id as id from key_events where event = 'assigned'`,
  );
  return rows.map(({ id }) => id);
}

/** Codes that were mailed to two addresses. */
async function findDoubleMails({ mails }: MailServer): Promise<string[]> {
  const rows = await db.execute<{ id: string; sealed: Buffer; vaultKeyId: string }>(
    sql`select id, sealed, vault_key_id as "vaultKeyId" from keys`,
  );
  const violations: string[] = [];
  let mailed = 0;
  for (const { id, sealed, vaultKeyId } of rows) {
    const code = unseal(id, { sealed, vaultKeyId });
    const to = new Set([...mails.values()].filter(({ text }) => text.includes(code)).map((mail) => mail.to));
    mailed += Math.min(1, to.size);
    if (to.size > 1) violations.push(`the code of key ${id} was mailed to ${to.size} addresses`);
  }
  if (mailed === 0) violations.push("no code is found in any email");
  return violations;
}

/** Payments at the provider that are neither refunded nor booked with an order that is paid. */
async function findUnaccountedPayments(provider: UnreliableProvider): Promise<string[]> {
  const violations: string[] = [];
  for (const orderId of new Set([...provider.intents.values()].map(({ metadata }) => metadata.order_id!))) {
    const cash = provider.cashOf(orderId);
    const [order] = await db.execute<{ booked: number }>(sql`
      select (select coalesce(sum(amount_cents), 0)::int from ledger_entries e where e.order_id = o.id and e.account = 'provider_cash') as booked
      from orders o where o.id = ${orderId}`);
    if (cash !== (order?.booked ?? 0))
      violations.push(
        `order ${orderId}: the provider holds ${cash} cents, the shop has booked ${order?.booked ?? "no order"}`,
      );
    const payable = provider.intentsOf(orderId).filter(({ status }) => status.startsWith("requires_"));
    if (payable.length > 0 && !order)
      violations.push(`a payment of the lost order ${orderId} can still be made`);
  }
  return violations;
}

type PostgresRecord = { cluster: string; port: number };
const clusterOf = (folder: string) => readJson<PostgresRecord>(join(folder, "postgres.json"))!.cluster;

/** Gives files to the user that runs the cluster. */
function own(path: string, cluster: string): void {
  const { uid, gid } = statSync(cluster);
  if (process.getuid?.() === 0) execFileSync("chown", ["-R", `${uid}:${gid}`, path]);
}

const stop = async (folder: string): Promise<void> => {
  await closeDatabase();
  await stopPostmaster(clusterOf(folder));
};

/** A cluster that archives its write-ahead log, beside the cluster, where the user that runs it can write. */
async function startArchivedDatabase(folder: string): Promise<{ database: Database; archive: string }> {
  const first = await startDatabase({ dataDir: folder, say: () => {} });
  await first.stop();
  const cluster = clusterOf(folder);
  const archive = join(dirname(cluster), "archive");
  mkdirSync(archive, { recursive: true });
  own(archive, cluster);
  appendFileSync(
    join(cluster, "postgresql.auto.conf"),
    `archive_mode = 'on'\narchive_command = 'test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"'\n`,
  );
  return { database: await startDatabase({ dataDir: folder, say: () => {} }), archive };
}

/** A base backup by Postgres's functions, because the package has no pg_basebackup. Returns its folder. */
async function backUp(folder: string): Promise<string> {
  const cluster = clusterOf(folder);
  const base = join(dirname(cluster), "base");
  const session = new pg.Client({ connectionString: env().DATABASE_URL });
  await session.connect();
  await session.query("select pg_backup_start('trial', true)");
  const isLeftOut = /\/(?:pg_wal\/.+|postmaster\.(?:pid|opts)|pg_replslot\/.+)$/;
  cpSync(cluster, base, { recursive: true, filter: (path) => !isLeftOut.test(path) });
  const { rows } = await session.query<{ labelfile: string }>("select labelfile from pg_backup_stop(true)");
  await session.end();
  writeFileSync(join(base, "backup_label"), rows[0]!.labelfile);
  return base;
}

/** Waits until the log up to now is archived. */
async function archiveLog(archive: string): Promise<void> {
  const [last] = await db.execute<{ name: string }>(sql`select pg_walfile_name(pg_switch_wal()) as name`);
  for (let waited = 0; !existsSync(join(archive, last!.name)); waited += 1) {
    if (waited > 300)
      throw new Error(`${last!.name} is not archived; there are ${readdirSync(archive).length} files`);
    await sleep(100);
  }
}

type Backup = { archive: string; base: string; since: Date };

/** Replaces the cluster by the base backup and recovers it to the moment `since`. */
async function restore(folder: string, { archive, base, since }: Backup): Promise<Database> {
  const cluster = clusterOf(folder);
  rmSync(cluster, { recursive: true });
  cpSync(base, cluster, { recursive: true });
  mkdirSync(join(cluster, "pg_wal"), { recursive: true });
  const target = since.toISOString().replace("T", " ").replace("Z", "+00");
  appendFileSync(
    join(cluster, "postgresql.auto.conf"),
    `archive_mode = 'off'\nrestore_command = 'cp "${archive}/%f" "%p"'\nrecovery_target_time = '${target}'\nrecovery_target_action = 'promote'\n`,
  );
  writeFileSync(join(cluster, "recovery.signal"), "");
  execFileSync("chmod", ["700", cluster]);
  const { uid } = statSync(archive);
  if (process.getuid?.() === 0) execFileSync("chown", ["-R", `${uid}`, cluster]);
  const database = await startDatabase({ dataDir: folder, say: () => {} });
  const session = new pg.Client({ connectionString: database.url });
  await session.connect();
  for (let waited = 0; ; waited += 1) {
    const { rows } = await session.query<{ recovering: boolean }>("select pg_is_in_recovery() as recovering");
    if (!rows[0]!.recovering) break;
    if (waited > 600) throw new Error("the recovery does not end");
    await sleep(100);
  }
  await session.end();
  return database;
}
