import { findPostmaster } from "@/scripts/postmaster";
import { seeded, sleep } from "./shopper";
import type { Part } from "./deployment";
import { type Line, lineOf } from "./table";
import { type TrialOptions, underTrouble } from "./deployment-trials";

export type Postgres = { cluster: string; restart(): Promise<void> };

/** kill -9 at random: `n` times one of the given parts, which comes back by itself. */
export const randomKills = (
  options: TrialOptions,
  kind: Part["kind"],
  until = Number.POSITIVE_INFINITY,
): Promise<Line> =>
  lineOf(
    {
      invariant: `kill -9 of ${kind === "app" ? "an instance" : "a worker"} loses nothing`,
      trial: "a kill at a random moment under sales",
      seed: options.seed,
    },
    async (line) => {
      const random = seeded(options.seed);
      const parts = kind === "app" ? options.stand.apps : options.stand.workers;
      const batch = 25;
      // Sales start until the last kill: an instance needs about two seconds to restart, a worker one.
      const [pauseMs, startMs] = kind === "app" ? [150, 2200] : [450, 600];
      while (line.trials < options.n && Date.now() < until) {
        const kills = Math.min(batch, options.n - line.trials);
        const trouble = async () => {
          for (let kill = 0; kill < kills; kill++) {
            await sleep(random() * 2 * pauseMs);
            const part = parts[Math.floor(random() * parts.length)]!;
            await part.kill();
            await part.start();
            line.trials++;
          }
        };
        const n = Math.max(8, kills * 4);
        await underTrouble({ ...options, n }, line, random, trouble, kills * (pauseMs + startMs));
      }
    },
  );

/** kill -9 of the database's postmaster under sales; it comes back with its crash recovery. */
export const postgresKills = (options: TrialOptions, postgres: Postgres): Promise<Line> =>
  lineOf(
    {
      invariant: "kill -9 of Postgres loses nothing",
      trial: "a kill of the postmaster under sales",
      seed: options.seed,
    },
    async (line) => {
      const random = seeded(options.seed + 1);
      const deaths = () =>
        options.stand.apps.concat(options.stand.workers).reduce((sum, part) => sum + part.deaths(), 0);
      const before = deaths();
      while (line.trials < options.n) {
        await underTrouble({ ...options, n: 20 }, line, random, async () => {
          await sleep(300 + random() * 1500);
          const found = findPostmaster(postgres.cluster);
          if (!found) throw new Error("no postmaster to kill");
          process.kill(found.pid, "SIGKILL");
          await postgres.restart();
          line.trials++;
        });
      }
      line.control = `${deaths() - before} times a process ended by itself and came back`;
    },
  );
