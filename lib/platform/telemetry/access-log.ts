import { pino } from "pino";
import { telemetry } from "./telemetry";

/** Lines are written together when there are so many bytes of them. */
const BATCH_BYTES = 2_048;
/** What a pipe takes in one piece, so that no line of the log falls into the middle of one of these. */
const WRITE_BYTES = 4_096;
const FLUSH_MS = 1_000;
/** What is kept for a reader that does not read; further lines are lost. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

/**
 * Writes a JSON line to standard output for each response to a client (docs/operations.md#access-log): no query, no cookie, no
 * account, and of the address only its network. Lines are written in batches: a write for each would cost more. Tests name a
 * file instead.
 */
export function startAccessLog(file?: string): void {
  const output = pino.destination({
    dest: file ?? 1,
    sync: false,
    minLength: BATCH_BYTES,
    maxWrite: WRITE_BYTES,
    maxLength: MAX_KEPT_BYTES,
    periodicFlush: FLUSH_MS,
  });
  output.on("error", () => {});
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, output);
  telemetry.onResponse.push((record) => log.info(record, "request"));
  telemetry.stop.push(() => new Promise((resolve) => output.flush(() => resolve())));
}
