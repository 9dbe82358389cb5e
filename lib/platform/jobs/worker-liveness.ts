import pg from "pg";
import { client } from "@/db/client";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

/**
 * graphile-worker leaves the jobs of a killed worker locked for four hours. So each process vows that its pools of
 * workers live, by an advisory lock per pool on a connection of its own, which ends with the process; jobs whose
 * holder keeps no vow are set free (reliability.md, Orders).
 */
/** A holder has this long to take its vow before anyone asks for it. */
const YOUNG_SECONDS = 5;
const RESCUE_MS = 5_000;
const LONGEST_PAUSE_MS = 5_000;

/** The names under which graphile-worker locks jobs, as far as they are this process's own. */
export type Vow = {
  add(pool: string): void;
  /** For a pool that works no more while this process goes on: what it has left locked is set free. */
  drop(pool: string): void;
  names: ReadonlySet<string>;
  release(): Promise<void>;
};

/** Holds the vows of this process, and takes them again after every loss of the connection. */
export async function holdVow(): Promise<Vow> {
  const names = new Set<string>();
  let connection: pg.Client | undefined;
  let ended = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: env().DATABASE_URL,
      application_name: "passlane-worker-vow",
    });
    next.on("error", (error) => log.warn({ err: error }, "connection of the worker's vow lost"));
    next.on("end", () => {
      if (connection !== next || ended) return;
      connection = undefined;
      void reconnect(250);
    });
    await next.connect();
    for (const name of names) await take(next, name);
    connection = next;
  }

  async function reconnect(pauseMs: number): Promise<void> {
    if (ended) return;
    await connect().catch((error: unknown) => {
      log.warn({ err: error }, "the worker's vow cannot be taken yet");
      setTimeout(() => reconnect(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)), pauseMs).unref();
    });
  }

  await connect();
  return {
    names,
    add(name) {
      names.add(name);
      if (connection)
        take(connection, name).catch((error) => log.warn({ err: error }, "worker's vow not taken"));
    },
    drop(name) {
      if (!names.delete(name)) return;
      connection
        ?.query("select pg_advisory_unlock_shared($1, hashtext($2))", [ADVISORY_LOCKS.workers, name])
        .catch((error) => log.warn({ err: error }, "worker's vow not taken back"));
    },
    async release() {
      ended = true;
      await connection?.end();
    },
  };
}

const take = (connection: pg.Client, name: string) =>
  connection.query("select pg_advisory_lock_shared($1, hashtext($2))", [ADVISORY_LOCKS.workers, name]);

/** Holders of locked jobs that keep no vow: killed, or just reconnecting. */
export async function vowlessHolders(): Promise<string[]> {
  const rows = await client()<{ locked_by: string }[]>`
    select locked_by from (select distinct locked_by from graphile_worker.jobs
      where locked_by is not null and locked_at < now() - make_interval(secs => ${YOUNG_SECONDS})) holders
    where pg_try_advisory_xact_lock(${ADVISORY_LOCKS.workers}, hashtext(locked_by))`;
  return rows.map((row) => row.locked_by);
}

/** What this process works on: to tell the jobs that are locked in its name without its having heard of it. */
export type OwnJobs = { names: ReadonlySet<string>; active: ReadonlySet<string> };

/** Jobs that are locked in our name and that we do not work on: the answer that gave us one, or took it, was lost. */
async function unheardJobs({ names, active }: OwnJobs): Promise<string[]> {
  const rows = await client()<{ id: string }[]>`
    select id::text as id from graphile_worker.jobs
    where locked_by = any(${[...names]}::text[]) and locked_at < now() - make_interval(secs => ${YOUNG_SECONDS})`;
  return rows.map((row) => row.id).filter((id) => !active.has(id));
}

/** As force_unlock_workers does, for these jobs alone: the pool's others are at work. */
async function freeUnheard(ids: string[], { names }: OwnJobs): Promise<void> {
  const own = [...names];
  await client().begin(async (tx) => {
    await tx`update graphile_worker._private_jobs set locked_at = null, locked_by = null
      where id = any(${ids}::bigint[]) and locked_by = any(${own}::text[])`;
    await tx`update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
      where q.locked_by = any(${own}::text[]) and not exists (
        select from graphile_worker._private_jobs j where j.job_queue_id = q.id and j.locked_by is not null)`;
  });
}

/** A job that was locked when another took its place under its key is never tried again, and says no error: it goes. */
const forgetReplaced = () => client()`
  select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs
    where locked_by is null and key is null and last_error is null and attempts >= max_attempts))`;

/**
 * Looks every five seconds and sets free what a vowless holder has locked. Only whoever was vowless twice running
 * counts as gone: a living one that lost its connection has taken its vow again by then.
 * So is a job that a living process holds without knowing of it: the network swallowed the answer. Otherwise its queue,
 * which may be a sweeper's, would stand still for those hours.
 */
export function startRescue(own: OwnJobs): { stop(): void } {
  let suspects = new Set<string>();
  let before = new Set<string>();
  async function look(): Promise<void> {
    const unheard = await unheardJobs(own);
    const astray = unheard.filter((id) => before.has(id));
    before = new Set(unheard);
    if (astray.length > 0) await freeUnheard(astray, own);
    const vowless = (await vowlessHolders()).filter((name) => !own.names.has(name));
    const gone = vowless.filter((name) => suspects.has(name));
    suspects = new Set(vowless);
    if (gone.length > 0) await client()`select graphile_worker.force_unlock_workers(${gone}::text[])`;
    if (gone.length + astray.length === 0) return;
    await forgetReplaced();
    log.warn({ workers: gone.length, unheard: astray.length }, "jobs that nobody worked on set free");
  }
  const guarded = () =>
    void look().catch((error: unknown) => log.warn({ err: error }, "jobs of killed workers not looked for"));
  guarded();
  const timer = setInterval(guarded, RESCUE_MS).unref();
  return { stop: () => clearInterval(timer) };
}
