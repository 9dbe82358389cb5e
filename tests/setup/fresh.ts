// Runs first before each test file of a project whose files share processes: ends the connections and clears the state
// that the previous file left behind. The modules of the shop stay loaded, which saves seconds of computing for each
// file, unless this file or the one before replaces some.
import { readFileSync } from "node:fs";
import type postgres from "postgres";
import { expect, vi } from "vitest";

type State = typeof globalThis & {
  /** The variables before the first file. */
  testVariables?: NodeJS.ProcessEnv;
  testReplacesModules?: boolean;
  passlaneDatabase?: { pools: Record<string, postgres.Sql>; replica?: { close(): void } };
  passlaneJournal?: { journal: { close(): Promise<void> } };
  passlaneMemoryCaches?: Map<string, { clear(): void }>;
  passlaneProcess?: object;
  passlaneTelemetry?: {
    observers: unknown[];
    onResponse: unknown[];
    pools: Map<string, unknown>;
    stop: unknown[];
  };
  passlaneDatabaseFullAt?: number;
};
const globals = globalThis as State & Record<string, unknown>;

vi.restoreAllMocks();
vi.useRealTimers();
restoreVariables();
await endConnections();

const replacesModules = /\bvi\.(mock|doMock|hoisted|resetModules)\(|await import\(/.test(
  readFileSync(expect.getState().testPath!, "utf8"),
);
if (replacesModules || globals.testReplacesModules) {
  vi.resetModules();
  for (const name of Object.keys(globals)) if (name.startsWith("passlane")) delete globals[name];
} else clearState();
globals.testReplacesModules = replacesModules;

function restoreVariables(): void {
  const before = globals.testVariables;
  if (before) {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
  globals.testVariables ??= { ...process.env };
}

async function endConnections(): Promise<void> {
  await globals.passlaneJournal?.journal.close();
  delete globals.passlaneJournal;
  const { pools = {}, replica } = globals.passlaneDatabase ?? {};
  replica?.close();
  const open = Object.entries(pools);
  for (const [name] of open) delete pools[name];
  await Promise.all(open.map(([, pool]) => pool.end({ timeout: 0 })));
}

/** Modules hold these objects, so they are emptied and not replaced. */
function clearState(): void {
  const { passlaneDatabase, passlaneProcess, passlaneTelemetry } = globals;
  if (passlaneDatabase) delete passlaneDatabase.replica;
  for (const cache of globals.passlaneMemoryCaches?.values() ?? []) cache.clear();
  for (const name of Object.keys(passlaneProcess ?? {}))
    delete (passlaneProcess as Record<string, unknown>)[name];
  if (passlaneTelemetry) {
    const { observers, onResponse, pools, stop } = passlaneTelemetry;
    for (const list of [observers, onResponse, stop]) list.length = 0;
    pools.clear();
  }
  delete globals.passlaneDatabaseFullAt;
}
