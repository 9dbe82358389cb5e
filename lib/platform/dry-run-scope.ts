import { AsyncLocalStorage } from "node:async_hooks";

/** A job that a command has queued, by its name. */
export type RecordedJob = { name: string; payload: Record<string, unknown>; runAt: Date | null };

/** What a dry run replaces, so that nothing leaves it; its transaction is known to db/client.ts. */
export type DryRunScope = {
  /** The jobs queued so far. No worker sees them, because their rows are rolled back. */
  jobs: RecordedJob[];
};

// Next bundles modules more than once. The copies share the storage through globalThis.
const globals = globalThis as typeof globalThis & { passlaneDryRuns?: AsyncLocalStorage<DryRunScope> };
globals.passlaneDryRuns ??= new AsyncLocalStorage();
const storage = globals.passlaneDryRuns;

export const runInDryRun = <T>(scope: DryRunScope, run: () => T): T => storage.run(scope, run);

/** The dry run that the caller is part of (`dryRun` of db/client.ts); undefined outside of one. */
export const currentDryRun = (): DryRunScope | undefined => storage.getStore();
