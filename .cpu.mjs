import { readFileSync } from "node:fs";
import postgres from "postgres";

const base = readFileSync("/tmp/search-gen100k.log", "utf8").match(/postgres:\/\/.*\//)[0];
const [db, ...qs] = process.argv.slice(2);
const sql = postgres(base + db, { max: 1, onnotice() {}, connection: { jit: "off" } });
const [{ pid }] = await sql`select pg_backend_pid() as pid`;
const now = () => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
for (const q of qs) {
  const t = [];
  let n;
  for (let i = 0; i < 7; i++) {
    const b = now();
    n = (await sql.unsafe(q)).length;
    t.push(now() - b);
  }
  t.sort((a, b) => a - b);
  console.log(t[3].toFixed(2).padStart(8), "ms min", t[0].toFixed(2), "rows", n, q.slice(0, 150));
}
await sql.end();
