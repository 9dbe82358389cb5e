import type postgres from "postgres";
import { openSql } from "./connect";
import { waitForDatabase } from "./wait-for-database";

/** Asks a database at a start, on a connection for this question. Waits up to 60 seconds for one that does not answer. */
export const askDatabase = <T>(
  url: string,
  ask: (sql: postgres.Sql) => Promise<T>,
  say: (line: string) => void,
): Promise<T> =>
  waitForDatabase(
    async () => {
      const sql = openSql(url, { max: 1, connect_timeout: 5 });
      try {
        return await ask(sql);
      } finally {
        await sql.end({ timeout: 1 });
      }
    },
    { say },
  );
