import { readFileSync } from "node:fs";
import postgres from "postgres";

const base = readFileSync("/tmp/search-gen100k.log", "utf8").match(/postgres:\/\/.*\//)[0];
const sql = postgres(base + "s100", { max: 1, onnotice() {}, connection: { jit: "off" } });
const words = (
  await sql`select word from search_words where rank < 2 and length(word) between 4 and 12 order by md5(word) limit 400`
).map((r) => r.word);
const real =
  "note draft voice music photo video scribe focus canvas notion figma slack zoom muse plan task mail calendar translate caption memo podcast recorder editor studio writer reader sketch paint chart sheet slide audio subtitle meeting summary".split(
    " ",
  );
await sql`create temp table v as select word from search_words union select unnest(${real}::text[])`;
await sql`create index on v using gin (word gin_trgm_ops)`;
await sql`analyze v`;
const L = "abcdefghijklmnopqrstuvwxyz";
const slips = (w) => {
  const o = [];
  for (let i = 0; i < w.length; i++) {
    o.push(["del", w.slice(0, i) + w.slice(i + 1)]);
    if (i < w.length - 1 && w[i] !== w[i + 1])
      o.push(["swap", w.slice(0, i) + w[i + 1] + w[i] + w.slice(i + 2)]);
    o.push(["dbl", w.slice(0, i) + w[i] + w.slice(i)]);
    o.push(["sub", w.slice(0, i) + L[(i * 7 + 3) % 26] + w.slice(i + 1)]);
  }
  return o;
};
for (const th of [0.3, 0.2, 0.15, 0.1]) {
  await sql.unsafe(`set pg_trgm.similarity_threshold=${th}`);
  const got = {};
  let n = 0,
    ms = 0,
    rows = 0,
    cnt = 0;
  for (const w of [...real, ...words.slice(0, 60)])
    for (const [k, t] of slips(w)) {
      if (t.length < 4 || t === w) continue;
      if (cnt++ % 4) continue;
      const b = performance.now();
      const r =
        await sql`select word from v where word % ${t} and length(word) between ${t.length - 1} and ${t.length + 1} order by similarity(word,${t}) desc limit 100`;
      ms += performance.now() - b;
      rows += r.length;
      n++;
      const key = `${k}/${w.length <= 4 ? 4 : w.length == 5 ? 5 : 6}`;
      got[key] ??= [0, 0];
      got[key][1]++;
      if (r.some((x) => x.word === w)) got[key][0]++;
    }
  console.log(
    th,
    n,
    "avg ms",
    (ms / n).toFixed(1),
    "avg rows",
    (rows / n).toFixed(0),
    Object.entries(got)
      .sort()
      .map(([k, [a, b]]) => `${k} ${((100 * a) / b).toFixed(0)}%`)
      .join(" "),
  );
}
await sql.end();
