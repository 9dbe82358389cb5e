import type { Generator, StartedProcess } from "./processes";
import type { BenchLine } from "./table";

/** Shared by the parts of the bench. */
export type BenchContext = {
  rounds: number;
  /** Duration of one round on one server. */
  ms: number;
  server: StartedProcess;
  /** Starts the worker in a separate process, as docs/operations.md recommends under load. */
  startWorker(): StartedProcess;
  generator: Generator;
  /** Folder for logs and builds, inside the repository. */
  folder: string;
};
export type BenchPart = (stand: BenchContext) => Promise<BenchLine[]>;
