import { findPostmaster } from "@/scripts/postgres/postmaster";
import { seeded, sleep } from "@/tests/setup/shopper";
import type { ManagedProcess } from "./deployment";
import { salesDuringFault, type TrialOptions } from "./deployment-trials";
import { runTrial, type TrialResult } from "./table";

export type RestartablePostgres = { cluster: string; restart(): Promise<void> };

/** Kills one of the processes of a kind with -9, `n` times at random moments, and restarts it. */
export const randomKills = (
  options: TrialOptions,
  kind: ManagedProcess["kind"],
  until = Number.POSITIVE_INFINITY,
): Promise<TrialResult> =>
  runTrial(
    {
      invariant: `kill -9 of ${kind === "app" ? "an instance" : "a worker"} loses nothing`,
      trial: "a kill at a random moment during sales",
      seed: options.seed,
    },
    async (result) => {
      const random = seeded(options.seed);
      const processes = kind === "app" ? options.deployment.apps : options.deployment.workers;
      const batch = 25;
      // Sales start until the last kill: an instance needs about two seconds to restart, a worker one.
      const [pauseMs, startMs] = kind === "app" ? [150, 2200] : [450, 600];
      while (result.trials < options.n && Date.now() < until) {
        const kills = Math.min(batch, options.n - result.trials);
        const killRepeatedly = async () => {
          for (let kill = 0; kill < kills; kill++) {
            await sleep(random() * 2 * pauseMs);
            const victim = processes[Math.floor(random() * processes.length)]!;
            await victim.kill();
            await victim.start();
            result.trials++;
          }
        };
        const n = Math.max(8, kills * 4);
        await salesDuringFault(
          { ...options, n },
          result,
          random,
          killRepeatedly,
          kills * (pauseMs + startMs),
        );
      }
    },
  );

/** Kills the postmaster with -9 during sales; its restart runs crash recovery. */
export const postgresKills = (options: TrialOptions, postgres: RestartablePostgres): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "kill -9 of Postgres loses nothing",
      trial: "a kill of the postmaster during sales",
      seed: options.seed,
    },
    async (result) => {
      const random = seeded(options.seed + 1);
      const countExits = () =>
        options.deployment.apps
          .concat(options.deployment.workers)
          .reduce((sum, managed) => sum + managed.unexpectedExits(), 0);
      const exitsBefore = countExits();
      while (result.trials < options.n) {
        await salesDuringFault({ ...options, n: 20 }, result, random, async () => {
          await sleep(300 + random() * 1500);
          const postmaster = findPostmaster(postgres.cluster);
          if (!postmaster) throw new Error("no postmaster to kill");
          process.kill(postmaster.pid, "SIGKILL");
          await postgres.restart();
          result.trials++;
        });
      }
      result.brokenVariant = `${countExits() - exitsBefore} times a process exited and was restarted`;
    },
  );
