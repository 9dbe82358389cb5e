import type { Generator, Started } from "./processes";
import type { BenchLine } from "./table";

/** What the parts of the bench share. */
export type Stand = {
  rounds: number;
  /** How long one round loads one server. */
  ms: number;
  shop: Started;
  /** Starts its jobs, in a process of their own, as docs/operations.md advises for a busy shop. */
  startWorker(): Started;
  generator: Generator;
  /** Where logs and made things go; inside the tree. */
  folder: string;
};
export type Part = (stand: Stand) => Promise<BenchLine[]>;
