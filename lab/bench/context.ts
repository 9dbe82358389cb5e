import type { StartedProcess } from "./processes";
import type { BenchLine } from "./table";

/** Shared by the parts of the bench. */
export type BenchContext = {
  rounds: number;
  /** Duration of one round on one server. */
  seconds: number;
  server: StartedProcess;
  /** Starts the worker in a separate process, as docs/operations.md recommends under load. */
  startWorker(): StartedProcess;
  /** The trivial handler of lab/bench/trivial-app.ts, and its CPU time for one request. */
  trivial: StartedProcess;
  trivialCpuMs: number;
  /** Folder for logs and builds, inside the repository. */
  folder: string;
};
export type BenchPart = (context: BenchContext) => Promise<BenchLine[]>;
