import type { Generator, Started } from "./processes";
import type { BenchLine } from "./table";

/** Shared by the parts of the bench. */
export type Stand = {
  rounds: number;
  /** Duration of one round on one server. */
  ms: number;
  shop: Started;
  /** Starts the worker in a separate process, as docs/operations.md recommends under load. */
  startWorker(): Started;
  generator: Generator;
  /** Folder for logs and builds, inside the repository. */
  folder: string;
};
export type Part = (stand: Stand) => Promise<BenchLine[]>;
