import { createWriteStream, mkdirSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { backgroundClient } from "@/db/client";
import { MAIL_DAYS } from "@/lib/notifications/rules";
import { WEBHOOK_EVENT_DAYS } from "@/lib/payments/rules";
import { readProgress, writeProgress } from "@/lib/platform/jobs/progress";
import { RETENTION_DAYS } from "@/lib/tracking/rules";
import { countOf } from "./command/count-of";
import { runCommand } from "./command/run-command";
import { resolveArgument } from "./command/run-import";

/**
 * What is archived of each table that retention empties: no column with personal data, because the deletion of an
 * account does not reach a file.
 */
const ARCHIVED = [
  {
    table: "visits",
    days: RETENTION_DAYS,
    columns: "id, path, locale, device_type, device_model, language, source, created_at",
  },
  {
    table: "searches",
    days: RETENTION_DAYS,
    columns: "id, content, locale, device_type, device_model, language, region, created_at",
  },
  {
    table: "source_events",
    days: RETENTION_DAYS,
    columns:
      "id, event_type, landing_page, referrer, source, campaign, medium, content, tracking_id, product_id, plan_id, happened_at, created_at",
  },
  {
    table: "mails",
    days: MAIL_DAYS,
    columns: "id, event, locale, order_number, state, attempts, created_at, sent_at",
  },
  {
    table: "webhook_events",
    days: WEBHOOK_EVENT_DAYS,
    columns: "id, type, object_id, livemode, payload, created_at, processed_at",
  },
] as const;

/** Days before its deletion that a row is archived, so that an archive that fails for some days loses nothing. */
const DEFAULT_AHEAD_DAYS = 7;
const ROWS_AT_ONCE = 2_000;

const USAGE = `npm run archive -- FOLDER [--ahead DAYS]
Writes the rows that retention deletes within DAYS (${DEFAULT_AHEAD_DAYS}) and that no earlier run has written, as compressed JSON lines, one file a table.`;

/** Writes the archive. Exit codes: 0 done; 1 failed; 2 invalid arguments. What a run has written completely is not written again. */
export async function runArchive(args: string[], out = console.log): Promise<number> {
  const parsed = parseArguments(args);
  if (!parsed) {
    out(USAGE);
    return 2;
  }
  mkdirSync(parsed.folder, { recursive: true });
  for (const { table, days, columns } of ARCHIVED) {
    const from = (await readProgress(`archive-${table}`)) ?? "-infinity";
    const [limit] = await backgroundClient()<{ before: string }[]>`
      select to_char(shop_now() at time zone 'UTC' - make_interval(days => ${days}::int - ${parsed.ahead}::int), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as before`;
    const { before } = limit!;
    const name = `${table}-until-${before.slice(0, 19).replaceAll(":", "")}.jsonl.gz`;
    const rows = await writeFileOf({ path: join(parsed.folder, name), table, columns, from, before });
    await writeProgress(`archive-${table}`, before);
    out(rows === 0 ? `${table}: nothing new` : `${table}: ${countOf(rows, "row")} in ${name}`);
  }
  return 0;
}

function parseArguments(args: string[]): { folder: string; ahead: number } | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ahead: { type: "string" } },
    });
    const ahead = Number(values.ahead ?? DEFAULT_AHEAD_DAYS);
    const [folder, ...more] = positionals;
    return folder && more.length === 0 && Number.isInteger(ahead) && ahead >= 0 && ahead < RETENTION_DAYS
      ? { folder: resolveArgument(folder), ahead }
      : null;
  } catch {
    return null;
  }
}

type Part = { path: string; table: string; columns: string; from: string; before: string };

/**
 * Writes the rows of a period into a temporary file, which is renamed when it is complete and on disk. Writes no file
 * without rows.
 */
async function writeFileOf({ path, table, columns, from, before }: Part): Promise<number> {
  const sql = backgroundClient();
  const cursor = sql
    .unsafe<{ line: string }[]>(
      `select row_to_json(r)::text as line from (select ${columns} from ${table}
        where created_at >= $1::timestamptz and created_at < $2::timestamptz order by created_at) r`,
      [from, before],
    )
    .cursor(ROWS_AT_ONCE);
  let count = 0;
  async function* lines() {
    for await (const rows of cursor) {
      count += rows.length;
      yield rows.map(({ line }) => `${line}\n`).join("");
    }
  }
  const chunks = lines();
  const first = await chunks.next();
  if (first.done || count === 0) return 0;
  async function* all() {
    yield first.value!;
    yield* chunks;
  }
  const draft = `${path}.part`;
  await pipeline(Readable.from(all()), createGzip(), createWriteStream(draft));
  const file = await open(draft, "r+");
  await file.sync();
  await file.close();
  await rename(draft, path);
  return count;
}

await runCommand(import.meta.url, (args) => runArchive(args));
