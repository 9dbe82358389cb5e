import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

type Options = { database?: boolean; refusals?: boolean; seconds?: number; workers?: number };

/** One folder below tests is one project: `vitest run --project api`. Projects of one order run side by side. */
function project(name: string, order: number, options: Options = {}) {
  const { database = false, refusals = false, seconds = 10, workers = 2 } = options;
  return {
    extends: true as const,
    test: {
      name,
      include: [`tests/${name}/**/*.test.{ts,tsx}`],
      globalSetup: [
        ...(database ? ["tests/setup/database.ts"] : []),
        ...(refusals ? ["tests/setup/refusals.ts"] : []),
      ],
      setupFiles: [
        "tests/setup/variables.ts",
        ...(database ? ["tests/setup/worker.ts"] : []),
        ...(refusals ? ["tests/setup/recorder.ts"] : []),
      ],
      testTimeout: seconds * 1000,
      hookTimeout: Math.max(30, seconds) * 1000,
      maxWorkers: workers,
      fileParallelism: workers > 1,
      sequence: { groupOrder: order },
    },
  };
}

/** One more than the cores of a small machine: some tests wait for the database, a deadline or a retry. */
const WAITING = 3;

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: fileURLToPath(new URL("./", import.meta.url)) }] },
  test: {
    pool: "forks", // a process for each file: the server keeps its connections and configuration on globalThis
    projects: [
      project("architecture", 0, { seconds: 60 }),
      project("rules", 0, { seconds: 30 }),
      project("domain", 1, { database: true, seconds: 30, workers: WAITING }),
      project("api", 1, { database: true, refusals: true, seconds: 30, workers: WAITING }),
      project("faults", 2, { database: true, seconds: 900 }),
    ],
  },
});
