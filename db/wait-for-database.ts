import { setTimeout as wait } from "node:timers/promises";
import { isDatabaseFailure } from "@/lib/platform/database-failure";
import { serializeError } from "@/lib/platform/serialize-error";

/** How long a start waits for a database that does not answer: a failover, or a machine that is busy with other work. */
const START_WAIT_MS = 60_000;
const RETRY_MS = 1_000;
const SAY_EVERY_MS = 5_000;

const LOOKUP_CODES = ["ENOTFOUND", "EAI_AGAIN"];
/** What the driver pg and its pool throw, without a code, when a connection or an answer is late. */
const LATE_MESSAGE = /^(timeout exceeded when trying to connect|timeout expired|Query read timeout)$/;
/** PgBouncer refuses settings of a connection that it cannot keep. */
const POOLER_MESSAGE = /unsupported startup parameter/;

type Options = { waitMs?: number; say: (line: string) => void };

/**
 * Repeats the work of a start while the database does not answer, for 60 seconds at most, and says every 5 seconds that it
 * waits. The work may run several times.
 * @throws Error with one sentence for the operator (docs/operations.md#databases)
 */
export async function waitForDatabase<T>(
  work: () => Promise<T>,
  { waitMs = START_WAIT_MS, say }: Options,
): Promise<T> {
  const startedAt = performance.now();
  for (let saidAt = Number.NEGATIVE_INFINITY; ; ) {
    try {
      return await work();
    } catch (error) {
      if (POOLER_MESSAGE.test(sentence(error)))
        throw new Error(
          "The address of the database leads through a transaction pooler, where settings and session locks are lost: only DATABASE_URL may, and DATABASE_DIRECT_URL must then be the address of Postgres itself.",
          { cause: error },
        );
      if (!isUnanswered(error)) throw error;
      const waitedMs = performance.now() - startedAt;
      if (waitedMs >= waitMs)
        throw new Error(`The database has not answered for ${seconds(waitMs)} s: ${sentence(error)}`, {
          cause: error,
        });
      if (performance.now() - saidAt >= SAY_EVERY_MS) {
        saidAt = performance.now();
        say(`Waiting for the database, ${seconds(waitedMs)} of ${seconds(waitMs)} s: ${sentence(error)}`);
      }
      await wait(RETRY_MS);
    }
  }
}

const seconds = (ms: number) => Math.round(ms / 1000);

function sentence(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return serializeError(first).message.replace(/[.\s]*$/, ".");
}

/** True if the database, or one that the error was caused by, did not answer. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return isUnanswered(error.errors[0]);
  return (
    isDatabaseFailure(error) ||
    LATE_MESSAGE.test(error.message) ||
    LOOKUP_CODES.includes(serializeError(error).code ?? "") ||
    isUnanswered(error.cause)
  );
}
