import pg from "pg";
import { client } from "@/db/client";
import { env } from "./env";
import { LOCKS } from "./locks";
import { log } from "./log";

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
export type Vow = { add(pool: string): void; names: ReadonlySet<string>; release(): Promise<void> };

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
    async release() {
      ended = true;
      await connection?.end();
    },
  };
}

const take = (connection: pg.Client, name: string) =>
  connection.query("select pg_advisory_lock_shared($1, hashtext($2))", [LOCKS.workers, name]);

/** Holders of locked jobs that keep no vow: killed, or just reconnecting. */
export async function vowlessHolders(): Promise<string[]> {
  const rows = await client()<{ locked_by: string }[]>`
    select locked_by from (select distinct locked_by from graphile_worker.jobs
      where locked_by is not null and locked_at < now() - make_interval(secs => ${YOUNG_SECONDS})) holders
    where pg_try_advisory_xact_lock(${LOCKS.workers}, hashtext(locked_by))`;
  return rows.map((row) => row.locked_by);
}

/**
 * Looks every five seconds and sets free what a vowless holder has locked. Only whoever was vowless twice running
 * counts as gone: a living one that lost its connection has taken its vow again by then.
 */
export function startRescue(own: ReadonlySet<string>): { stop(): void } {
  let suspects = new Set<string>();
  async function look(): Promise<void> {
    const vowless = (await vowlessHolders()).filter((name) => !own.has(name));
    const gone = vowless.filter((name) => suspects.has(name));
    suspects = new Set(vowless);
    if (gone.length === 0) return;
    await client()`select graphile_worker.force_unlock_workers(${gone}::text[])`;
    log.warn({ workers: gone.length }, "jobs of killed workers set free");
  }
  const guarded = () =>
    void look().catch((error: unknown) => log.warn({ err: error }, "jobs of killed workers not looked for"));
  guarded();
  const timer = setInterval(guarded, RESCUE_MS).unref();
  return { stop: () => clearInterval(timer) };
}
