import { readdirSync, readFileSync } from "node:fs";
import { client, closeDatabase } from "@/db/client";
import { createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { normalizeKey } from "@/lib/delivery/rules";
import { fingerprint, seal } from "@/lib/platform/crypto/vault";
import { env } from "@/lib/platform/env";
import { apiRoutes } from "@/scripts/write-openapi";
import { clientAddress } from "@/tests/setup/client-address";
import { BENCH_MERCHANT, type ConsoleList, consoleLists, sampleValues, type Variant } from "./consoles-lists";
import { watchPlans } from "./consoles-plans";
import { startProcess, waitUntilReady } from "./processes";

/**
 * Measures the staff console on the database of DATABASE_URL with the built server on PORT, and prints the result as one line of
 * JSON. It is a separate process, because the connection pool belongs to one database.
 */
export type Timing = {
  p50: number;
  p95: number;
  /** CPU time of the server and of its connections to Postgres for one request, which other load on the machine affects less. */
  cpu: number;
};
export type VariantResult = {
  label: string;
  first: Timing;
  /** The page that was measured: 100, or the last one. */
  page: number;
  later: Timing | null;
  /** Rows that the list's most expensive statement read, and that statement. */
  rows: number;
  statement: string;
};
export type ListResult = { name: string; unknown: string[]; variants: VariantResult[] };
export type CallResult = { name: string; barMs: number; queries: { label: string; timing: Timing }[] };
export type ConsolesResult = { lists: ListResult[]; calls: CallResult[] };

const port = Number(process.env.PORT);
const [only] = process.argv.slice(2);
const CLIENTS = 6;
const WARM_UPS = 4;
const RUNS = 20;
const LATER_PAGE = 100;
/** Postgres may choose another plan for a prepared statement from its sixth run on. Requests in turn use the same connection. */
const PLANNED_RUNS = 8;
/** Bars of p95 over HTTP (docs/performance.md#bars). */
const LIST_BAR = 50;
const FIND_BAR = 50;
const FIND_KEY_BAR = 20;
const TODAY_BAR = 80;
const KEYS = 40;

const say = (line: string) => console.error(`  ${line}`);
const cookies: string[] = [];
/** The headers of members of the measured merchant. */
const sellers: Record<string, string>[] = [];
let turn = 0;

type Answer = { data: Record<string, unknown>; ms: number };

/** One request of the next of several staff members, each time from another address behind the proxy. */
async function request(path: string, body?: object): Promise<Answer> {
  turn += 1;
  const headers: Record<string, string> = {
    ...(path.startsWith("/merchant/")
      ? sellers[turn % sellers.length]
      : { cookie: cookies[turn % cookies.length]! }),
    "x-forwarded-for": clientAddress(),
    ...(body && { "content-type": "application/json", origin: `http://localhost:${port}` }),
  };
  const startedAt = performance.now();
  const response = await fetch(`http://localhost:${port}/api/v1${path}`, {
    method: body ? "POST" : "GET",
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`${path} responded ${response.status}: ${text.slice(0, 300)}`);
  return { data: (JSON.parse(text) as { data: Record<string, unknown> }).data, ms };
}

const FAILED: Timing = {
  p50: Number.MAX_SAFE_INTEGER,
  p95: Number.MAX_SAFE_INTEGER,
  cpu: Number.MAX_SAFE_INTEGER,
};

let serverPid = 0;
/** Milliseconds on a processor of all threads of these processes; NaN without /proc. */
const threadsMs = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map(
        (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6,
      )
      .reduce((sum, ms) => sum + ms, 0);
  } catch {
    return Number.NaN;
  }
};

/** A clock of the processor time of the server and of its connections that are open now. */
async function startCpuClock(): Promise<() => number> {
  const rows = await client()<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  const pids = [serverPid, ...rows.map(({ pid }) => pid)];
  return () => pids.reduce((sum, pid) => sum + (threadsMs(pid) || 0), 0);
}

/**
 * The times of a call. A call that fails, for example because its statement takes too long, counts as infinitely slow.
 */
async function measureOnce(run: (index: number) => Promise<Answer>): Promise<Timing> {
  const times: number[] = [];
  let clock = () => Number.NaN;
  let startedAt = 0;
  for (let i = -WARM_UPS; i < RUNS; i++) {
    if (i === 0) {
      clock = await startCpuClock();
      startedAt = clock();
    }
    const answer = await orFailure(run(i + WARM_UPS));
    if (!answer) return FAILED;
    if (i >= 0) times.push(answer.ms);
  }
  const cpu = (clock() - startedAt) / RUNS;
  times.sort((a, b) => a - b);
  return { p50: times[RUNS >> 1]!, p95: times[Math.ceil(RUNS * 0.95) - 1]!, cpu };
}

/** The best of up to three measurements, because other work on the machine only adds to the times. */
async function measure(run: (index: number) => Promise<Answer>, barMs = LIST_BAR): Promise<Timing> {
  let best = FAILED;
  for (let i = 0; i < 3 && best.p95 > barMs; i++) {
    const timing = await measureOnce(run);
    if (timing === FAILED) return FAILED;
    if (timing.p95 < best.p95) best = timing;
  }
  return best;
}

const orFailure = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    say(String(error));
    return null;
  });

const pathOf = ({ path }: ConsoleList, query: Record<string, string>) =>
  `${path}?${new URLSearchParams(query)}`;

/** The cursor of page LATER_PAGE, or of the last page. */
async function laterPage(list: ConsoleList, query: Record<string, string>) {
  let cursor: string | null = null;
  let page = 1;
  while (page < LATER_PAGE) {
    const paged: Record<string, string> = cursor === null ? query : { ...query, cursor };
    const answer: Answer | null = await orFailure(request(pathOf(list, paged)));
    if (typeof answer?.data.next_cursor !== "string") break;
    cursor = answer.data.next_cursor;
    page += 1;
  }
  return { cursor, page };
}

async function measureVariant(list: ConsoleList, { label, query }: Variant) {
  const first = await measure(() => request(pathOf(list, query)));
  const { cursor, page } = await laterPage(list, query);
  const later = cursor === null ? null : await measure(() => request(pathOf(list, { ...query, cursor })));
  return { label, first, page, later, cursor };
}
type Measured = Awaited<ReturnType<typeof measureVariant>>;

async function measureLists(lists: ConsoleList[]): Promise<Map<ConsoleList, Measured[]>> {
  const measured = new Map<ConsoleList, Measured[]>();
  for (const list of lists) {
    const results: Measured[] = [];
    for (const variant of list.variants) results.push(await measureVariant(list, variant));
    measured.set(list, results);
    const slowest = Math.max(...results.flatMap(({ first, later }) => [first.p95, later?.p95 ?? 0]));
    say(`${list.name}: ${results.length} variants, slowest p95 ${slowest.toFixed(1)} ms`);
  }
  return measured;
}

/** The texts of codes that exist: generated keys get the fingerprints of these. */
async function knownCodes(): Promise<string[]> {
  const codes = Array.from({ length: KEYS }, (_, n) => `BENCH-${String(n).padStart(4, "0")}-CODE`);
  const rows = await client()<{ id: string }[]>`
    (select id from keys where state = 'assigned' order by id limit ${KEYS / 2})
    union all (select id from keys where state = 'available' order by id desc limit ${KEYS / 2})`;
  for (const [i, { id }] of rows.entries())
    await client()`update keys set fingerprint = ${fingerprint(normalizeKey(codes[i]!))} where id = ${id}`;
  return codes;
}

/** Generated keys cannot be decrypted; those that a merchant's requests name by reference get codes. */
async function sealRequestedCodes(): Promise<void> {
  const rows = await client()<{ id: string }[]>`
    select k.id from refund_requests q join keys k on k.order_line_id = q.order_line_id where q.merchant_id = ${BENCH_MERCHANT.id}
    union select key_id from replacement_requests where merchant_id = ${BENCH_MERCHANT.id}`;
  for (const { id } of rows) {
    const { sealed, vaultKeyId } = seal(id, `BENCH-${id.toUpperCase()}`);
    await client()`update keys set sealed = ${sealed}, vault_key_id = ${vaultKeyId} where id = ${id}`;
  }
}

async function measureCalls(samples: Record<string, string[]>): Promise<CallResult[]> {
  const find = (q: string) => request("/admin/find", { q });
  const codes = await knownCodes();
  const texts = {
    "order by number": samples.number![0]!,
    "order by id": samples.order_id![0]!,
    "order by payment": samples.number![2]!,
    "customer by address": samples.email![1]!,
    "customer by the beginning of an address": "bace",
    "customer by the beginning of a name": "ba",
    "order by a part of its number": samples.number![0]!.replace(/^PL-/, ""),
    "order by its running number": samples.number![0]!.split("-")[2]!,
    "product by the beginning of a name": "Zovu",
    "vendor by the beginning of a name": samples.vendor![0]!,
    coupon: samples.coupon_code![0]!,
    "product by number": samples.product_id![0]!,
    nothing: "no such thing",
  };
  const queries = [];
  for (const [label, q] of Object.entries(texts))
    queries.push({ label, timing: await measure(() => find(q), FIND_BAR) });
  const found = await find(codes[0]!);
  if (!JSON.stringify(found.data).includes('"key"')) throw new Error("A known code was not found.");
  const byCode = {
    label: "a code",
    timing: await measure((index) => find(codes[index % KEYS]!), FIND_KEY_BAR),
  };
  const calls: CallResult[] = [
    { name: "Find", barMs: FIND_BAR, queries },
    { name: "Find a code by its text", barMs: FIND_KEY_BAR, queries: [byCode] },
  ];
  const routes = await apiRoutes();
  if (routes.some(({ path }) => path === "/admin/today"))
    calls.push({
      name: "Today",
      barMs: TODAY_BAR,
      queries: [{ label: "all", timing: await measure(() => request("/admin/today"), TODAY_BAR) }],
    });
  return calls;
}

const startServer = async (variables: Record<string, string>) => {
  const log = `${env().DATA_DIR}/server.log`;
  const server = startProcess({
    port,
    log,
    env: { LOG_LEVEL: "info", WORKER: "off", ...variables },
  });
  await waitUntilReady(`http://127.0.0.1:${port}/readyz`, server);
  serverPid = server.process.pid ?? 0;
  return server;
};

/** The rows that each variant's most expensive statement reads, as the server executed it. */
async function readPlans(
  measured: Map<ConsoleList, Measured[]>,
): Promise<Map<Measured, { rows: number; statement: string }>> {
  const plans = await watchPlans(env().DATABASE_URL);
  const server = await startServer({});
  const most = new Map<Measured, { rows: number; statement: string }>();
  try {
    for (const [list, results] of measured)
      for (const result of results) {
        const { query } = list.variants.find(({ label }) => label === result.label)!;
        plans.take();
        const pages = [query, ...(result.cursor === null ? [] : [{ ...query, cursor: result.cursor }])];
        for (const page of pages)
          for (let run = 0; run < PLANNED_RUNS; run++) await orFailure(request(pathOf(list, page)));
        const executed = plans.take().sort((a, b) => b.rows - a.rows);
        most.set(result, executed[0] ?? { rows: Number.NaN, statement: "" });
      }
  } finally {
    await server.stop();
    await plans.stop();
  }
  return most;
}

for (let i = 0; i < CLIENTS; i++) {
  cookies.push((await createStaff()).cookie);
  const { cookie } = await createSeller(BENCH_MERCHANT);
  sellers.push({ cookie, "passlane-merchant": BENCH_MERCHANT.handle });
}
await sealRequestedCodes();
const samples = await sampleValues();
const lists = (await consoleLists(samples)).filter(({ name }) => !only || only.split(",").includes(name));
const server = await startServer({});
let measured: Map<ConsoleList, Measured[]>;
let calls: CallResult[];
try {
  measured = await measureLists(lists);
  calls = only && !only.split(",").includes("calls") ? [] : await measureCalls(samples);
} finally {
  await server.stop();
}
const plans = await readPlans(measured);
const result: ConsolesResult = {
  lists: [...measured].map(([{ name, unknown }, results]) => ({
    name,
    unknown,
    variants: results.map((one) => {
      const { cursor: _, ...timings } = one;
      return { ...timings, ...plans.get(one)! };
    }),
  })),
  calls,
};
await closeDatabase();
// Exiting now would truncate output that is still in the pipe.
await new Promise<void>((done) => process.stdout.write(`${JSON.stringify(result)}\n`, () => done()));
process.exit(0);
