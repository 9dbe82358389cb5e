import postgres from "postgres";
import type { DatabaseAddress, DatabaseHost, SessionKind } from "@/lib/platform/database-address";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import { serializeError } from "@/lib/platform/serialize-error";
import { withTimeout } from "@/lib/platform/with-timeout";
import { sqlOptions } from "./sql-options";

/** After this long without an answer of the host in use, the others are asked too. */
const HEAD_START_MS = 250;
/** A host that does not answer for this long is not used. */
const ANSWER_MS = 2_000;

type Kind = { recovering: boolean; readOnly: boolean };
const ACCEPTS: Record<SessionKind, (kind: Kind) => boolean> = {
  any: () => true,
  "read-write": ({ readOnly }) => !readOnly,
  "read-only": ({ readOnly }) => readOnly,
  primary: ({ recovering }) => !recovering,
  standby: ({ recovering }) => recovering,
  "prefer-standby": ({ recovering }) => recovering,
};

/**
 * Finds the host of an address that a new connection should use. It logs in to the host in use and asks for its state, and to
 * all others when that one does not answer soon or has the wrong state, because a primary may have become a standby since.
 */
export class HostSelector {
  private host: DatabaseHost;
  private selecting: Promise<DatabaseHost> | undefined;

  constructor(private readonly address: DatabaseAddress) {
    this.host = address.hosts[0]!;
  }

  /** The host that was selected last; the first one before. */
  get current(): DatabaseHost {
    return this.host;
  }

  /**
   * Concurrent calls share one search.
   * @throws DatabaseDownError when no host of the wanted kind answers; other errors of Postgres, such as a wrong password
   */
  select(): Promise<DatabaseHost> {
    this.selecting ??= this.search().finally(() => {
      this.selecting = undefined;
    });
    return this.selecting;
  }

  private async search(): Promise<DatabaseHost> {
    const { hosts, sessions } = this.address;
    if (hosts.length === 1 && sessions === "any") return this.host;
    const others = hosts.filter((host) => host !== this.host);
    const preferred = this.ask(this.host, sessions);
    const early = await Promise.race([
      preferred.catch(() => undefined),
      new Promise<undefined>((resolve) => setTimeout(resolve, HEAD_START_MS)),
    ]);
    if (early) return early;
    try {
      this.host = await Promise.any([preferred, ...others.map((host) => this.ask(host, sessions))]);
    } catch (error) {
      if (sessions !== "prefer-standby") throw summarize(error as AggregateError, sessions);
      const anyHost = hosts.map((host) => this.ask(host, "any"));
      this.host = await Promise.any(anyHost).catch((all) => {
        throw summarize(all, sessions);
      });
    }
    return this.host;
  }

  private async ask(host: DatabaseHost, sessions: SessionKind): Promise<DatabaseHost> {
    const sql = postgres("", {
      ...sqlOptions(this.address, host),
      connection: { application_name: "passlane-hosts" },
      max: 1,
      connect_timeout: ANSWER_MS / 1000,
      fetch_types: false,
      onnotice: () => {},
    });
    try {
      const asked = sql<Kind[]>`
        select pg_is_in_recovery() as recovering, current_setting('transaction_read_only')::bool as "readOnly"`;
      const [kind] = await withTimeout(asked, ANSWER_MS, () => new DatabaseDownError("no answer"));
      if (!ACCEPTS[sessions](kind!)) throw new WrongKindError();
      return host;
    } finally {
      sql.end({ timeout: 0 }).catch(() => {});
    }
  }
}

class WrongKindError extends Error {}

/** What Postgres said is more telling than that another host was not reached. */
function summarize({ errors }: AggregateError, sessions: SessionKind): unknown {
  const refusal = errors.find((error) => error.name === "PostgresError" && !error.code?.startsWith("57"));
  if (refusal) return refusal;
  const failures = errors.filter((error) => !(error instanceof WrongKindError));
  const answered = errors.length - failures.length;
  const reason =
    answered > 0
      ? `${answered} of ${errors.length} hosts answered, and none is ${sessions}`
      : `no host answers: ${serializeError(failures[0]).message}`;
  return new DatabaseDownError(reason, { cause: failures[0] });
}
