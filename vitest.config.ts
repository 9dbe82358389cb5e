import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import completeOnly from "./tests/setup/complete-only.json" with { type: "json" };

type Options = {
  database?: boolean;
  refusals?: boolean;
  statements?: boolean;
  /**
   * Files share processes. "fresh": with the state of a new process (tests/setup/fresh.ts). "modules": a file finds what those
   * before it have computed, such as the parsed files of the repository.
   */
  shared?: "fresh" | "modules";
  workers?: number;
};

const HANGING_MS = 900_000;

/** One folder below tests is one project, as is the lab: `vitest run --project api`. Projects of one order run side by side. */
function project(name: string, order: number, options: Options = {}) {
  const { database = false, refusals = false, statements = false, shared, workers = 2 } = options;
  return {
    extends: true as const,
    test: {
      name,
      include: [`${name === "lab" ? "" : "tests/"}${name}/**/*.test.{ts,tsx}`],
      exclude: left.map((file) => `**/${file}.test.ts`),
      globalSetup: [
        ...(database ? ["tests/setup/database.ts"] : []),
        ...(refusals ? ["tests/setup/refusals.ts"] : []),
      ],
      isolate: !shared,
      setupFiles: [
        ...(shared === "fresh" ? ["tests/setup/fresh.ts"] : []),
        "tests/setup/variables.ts",
        ...(database ? ["tests/setup/worker.ts"] : []),
        ...(database && shared ? ["tests/setup/configuration.ts"] : []),
        ...(refusals ? ["tests/setup/recorder.ts"] : []),
        ...(statements ? ["tests/setup/record-statements.ts"] : []),
      ],
      // Tests wait for states, which come late on a busy machine. The limit only ends a test that hangs.
      expect: { poll: { timeout: 120_000 } },
      testTimeout: HANGING_MS,
      hookTimeout: HANGING_MS,
      maxWorkers: workers,
      fileParallelism: workers > 1,
      sequence: { groupOrder: order },
    },
  };
}

/**
 * What `npm test` leaves to `npm run test:all` (TEST_MATRIX, scripts/test.mjs): files by folder that guard neither money, keys
 * nor access, but texts, pictures, lists and figures, search, imports of the catalogue and of posts, archives, a shop of
 * years, starts of processes, the front, or a server under failures and floods. A run by hand has them.
 */
const left =
  process.env.TEST_MATRIX === ""
    ? Object.entries(completeOnly).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}`))
    : [];

/** Two more than the cores of a small machine: some tests wait for the database, a deadline or a retry. */
const WAITING = 4;

/** Files that take long. They start first, because one that starts last runs alone. */
const LONG = new RegExp(
  `/(${[
    ...["openapi", "database-monitor", "mail-render", "generated-files", "bucket"],
    ...[
      "access-matrix",
      "property",
      "console-queues",
      "merchant-sales",
      "mail-budget",
      "merchant-developers",
    ],
    ...[
      "worker-lost-response",
      "worker-killed",
      "payments-duplicates",
      "payments-events",
      "catalog-commands",
    ],
    ...["functions", "deployment", "cache", "outage", "kill", "race", "cache-instance"],
  ].join("|")})\\.test\\.tsx?$`,
);

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...files.filter(isLong), ...(await super.sort(files.filter((file) => !isLong(file))))];
  }
}

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: fileURLToPath(new URL("./", import.meta.url)) }] },
  test: {
    sequence: { sequencer: LongFilesFirst },
    // A process for each file, because the server keeps its connections and configuration on globalThis. The many files of
    // rules, domain and api share processes, and tests/setup/fresh.ts clears that state before each. Those of architecture
    // share what they have parsed.
    pool: "forks",
    projects: [
      project("architecture", 0, { shared: "modules", workers: 3 }),
      project("rules", 0, { shared: "fresh", workers: 3 }),
      project("domain", 1, {
        database: true,
        statements: true,
        shared: "fresh",
        workers: WAITING,
      }),
      project("api", 1, {
        database: true,
        refusals: true,
        statements: true,
        shared: "fresh",
        workers: WAITING,
      }),
      project("statements", 2, { database: true }),
      project("faults", 3, { database: true }),
      project("lab", 3, { database: true }),
    ],
  },
});
