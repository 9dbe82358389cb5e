import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shopUrl } from "@/lab/faults/debian-processes";
import { distinctPorts } from "@/lab/faults/deployment";
import { buildRelease, type Release, removeRelease } from "@/lab/faults/release-trials";
import type { TrialResult } from "@/lab/faults/table";
import { repositoryRoot } from "@/scripts/start/server-process";
import { testEnvironment } from "@/tests/setup/environment";
import { findMissingPackages } from "./cluster";
import type { HaCounts } from "./run";

/** The parts of `npm run faults -- --only=ha`. */
export const HA_PARTS = ["ha-leader", "ha-instances", "ha-replica", "ha-pooler"];

/** The counts of the full run; HA_KILLS=1 and so on replace one, for a trial of the trial. */
const FULL: HaCounts = { kills: 20, rolls: 10, loads: 100, pauses: 4, restarts: 5, changes: 1_000 };
const variableOf = (name: string) => process.env[`HA_${name.toUpperCase()}`];

/** True if a variable replaces a count, so that the results are not those of the full run. */
export const hasReducedHaCounts = (): boolean => Object.keys(FULL).some((name) => variableOf(name));

type Options = { dataDir: string; seed: number; size: number; until: number };
type Part = [name: string, run: () => Promise<TrialResult>];

/**
 * Two instances of two releases and a worker on three Patroni nodes, through PgBouncer, with a replica. HA_RELEASES=a,b uses
 * two releases that are built. Without Debian's packages there are no parts, and a line says what to install.
 */
export function haTrials({ dataDir, seed, size, until }: Options): {
  parts(): Part[];
  stop(): Promise<void>;
} {
  const counts = Object.fromEntries(
    Object.entries(FULL).map(([name, full]) => [
      name,
      Number(variableOf(name)) || Math.max(1, Math.round(full * size)),
    ]),
  ) as HaCounts;
  let run: Promise<HaProcess> | undefined;
  const start = async (): Promise<HaProcess> => {
    const releases = await findReleases();
    const folder = mkdtempSync(join(tmpdir(), "passlane-ha-"));
    chmodSync(folder, 0o755);
    const [primaryPort] = (await distinctPorts(1)) as [number];
    const settings = { folder, primaryPort, dataDir, releases, seed, counts, until }; // JSON has no infinity
    return startProcess(settings, {
      ...testEnvironment,
      DATABASE_URL: shopUrl(primaryPort),
      DATABASE_POOL: "8",
    });
  };
  return {
    parts() {
      const missing = findMissingPackages();
      if (missing) console.log(missing);
      return missing
        ? []
        : HA_PARTS.map((name) => [
            name,
            async () => {
              run ??= start();
              return (await run).run(name);
            },
          ]);
    },
    async stop() {
      await run?.then((process) => process.end()).catch(() => {});
      if (!process.env.HA_RELEASES) for (const id of IDS) removeRelease(id);
    },
  };
}

const IDS = ["trial-ha-first", "trial-ha-second"] as const;

/** The same sources twice, with other names of all files, as two releases have. */
async function findReleases(): Promise<[Release, Release]> {
  const named = process.env.HA_RELEASES?.split(",");
  if (!named) {
    const first = await buildRelease(IDS[0], { previous: "" });
    return [first, await buildRelease(IDS[1], { previous: first.folder, salt: "second" })];
  }
  const releases = named.map((id) => ({ id, folder: join(repositoryRoot, "releases", id) }));
  const isBuilt = releases.length === 2 && releases.every(({ folder }) => existsSync(folder));
  if (!isBuilt) throw new Error("HA_RELEASES must name two releases: npm run release -- --id=…");
  return releases as [Release, Release];
}

type HaProcess = { run(part: string): Promise<TrialResult>; end(): Promise<void> };

function startProcess(settings: object, variables: Record<string, string>): HaProcess {
  const child: ChildProcess = spawn(
    process.execPath,
    ["--import", "tsx", "lab/ha/run.ts", JSON.stringify(settings)],
    {
      cwd: repositoryRoot,
      env: { ...process.env, ...variables },
      stdio: ["pipe", "inherit", "inherit", "ipc"],
    },
  );
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const results = new Map<string, TrialResult>();
  child.on("message", ({ name, result }: { name: string; result: TrialResult }) => {
    results.set(name, result);
    child.emit("result");
  });
  return {
    async run(part) {
      child.stdin!.write(`${part}\n`);
      while (!results.has(part)) {
        const code = await Promise.race([
          ended,
          new Promise<string>((done) => child.once("result", () => done("result"))),
        ]);
        if (code !== "result" && !results.has(part))
          throw new Error(`${part}: the process ended with ${code}`);
      }
      return results.get(part)!;
    },
    async end() {
      child.stdin!.write("end\n");
      await ended;
    },
  };
}
