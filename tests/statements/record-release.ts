// npx tsx tests/statements/record-release.ts: keeps the statements of this version as those of the previous release, for
// tests/statements/previous-release.test.ts. Run it when a release is made, after the projects domain and api of test:all.
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import postgres from "postgres";
import journal from "../../db/migrations/meta/_journal.json";
import { migrate } from "../../scripts/migrate";
import { startTestDatabase } from "../../scripts/postgres/database";
import { recordedStatements } from "../setup/recorded-statements";
import { explainError, RELEASE_FILE, type ReleasedStatements } from "./released-statements";

const READS_OR_WRITES = /^\s*(?:--.*\n\s*)*(?:select|with|insert|update|delete)\b/i;

const database = await startTestDatabase("release");
try {
  await migrate(database.url);
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  const texts = [...new Set(recordedStatements().map(({ text }) => text))]
    .filter((text) => READS_OR_WRITES.test(text))
    .sort();
  const statements: string[] = [];
  // What tests make up beside the schema fails here.
  for (const text of texts) if ((await explainError(sql, text)) === null) statements.push(text);
  await sql.end();
  const released: ReleasedStatements = { migration: journal.entries.at(-1)!.tag, statements };
  writeFileSync(RELEASE_FILE, gzipSync(JSON.stringify(released), { level: 9 }));
  console.log(`${statements.length} of ${texts.length} statements kept, after ${released.migration}.`);
} finally {
  await database.stop();
}
