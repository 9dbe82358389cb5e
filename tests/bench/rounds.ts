import type { Load, LoadResult } from "./load-generator";
import { cpuMicros, type Generator, type StartedProcess } from "./processes";
import { median } from "./table";

/** One measurement: responses per second, and CPU time of the server for each. */
export type Round = LoadResult & { rate: number; cpuUs: number };
export type Contender = { server: Pick<StartedProcess, "process" | "port">; load: Omit<Load, "port"> };

/** Loads one server and measures its CPU time. */
export async function measure(generator: Generator, { server, load }: Contender): Promise<Round> {
  const before = cpuMicros(server.process.pid);
  const loaded = await generator.run({ ...load, port: server.port });
  const cpuUs = (cpuMicros(server.process.pid) - before) / loaded.requests;
  if (loaded.failures > 0)
    throw new Error(`${loaded.failures} of ${loaded.requests} responses to ${load.paths[0]} were not 200.`);
  if (loaded.requests === 0) throw new Error(`No response to ${load.paths[0]} within ${load.ms} ms.`);
  return { ...loaded, rate: loaded.requests / loaded.seconds, cpuUs };
}

export type Comparison = {
  ours: Round;
  yardstick: Round;
  /** Median of the ratios of each round, which compare consecutive measurements. */
  ratio: number;
  /** The same for CPU time per response, which other load on the machine affects less. */
  cpuRatio: number;
};

const medianRound = (rounds: Round[]): Round => {
  const medianOf = (name: keyof Round) => median(rounds.map((round) => round[name]));
  return {
    rate: medianOf("rate"),
    cpuUs: medianOf("cpuUs"),
    requests: medianOf("requests"),
    failures: medianOf("failures"),
    seconds: medianOf("seconds"),
    cpuShare: medianOf("cpuShare"),
    p50Ms: medianOf("p50Ms"),
    p99Ms: medianOf("p99Ms"),
  };
};

/**
 * Number of rounds that are not counted, because frequently used code is still being compiled for thousands of
 * requests.
 */
export const WARM_UPS = 5;

/** Measures alternately this server and the yardstick. */
export async function compare(
  generator: Generator,
  rounds: number,
  ours: Contender,
  yardstick: Contender,
): Promise<Comparison> {
  const pairs: { ours: Round; yardstick: Round }[] = [];
  for (let round = -WARM_UPS; round < rounds; round++) {
    const pair = { ours: await measure(generator, ours), yardstick: await measure(generator, yardstick) };
    if (round >= 0) pairs.push(pair);
  }
  return {
    ours: medianRound(pairs.map((pair) => pair.ours)),
    yardstick: medianRound(pairs.map((pair) => pair.yardstick)),
    ratio: median(pairs.map((pair) => pair.ours.rate / pair.yardstick.rate)),
    cpuRatio: median(pairs.map((pair) => pair.yardstick.cpuUs / pair.ours.cpuUs)),
  };
}

const formatInteger = (value: number) => Math.round(value).toLocaleString("en");

export const formatRound = ({ rate, cpuUs, p50Ms }: Round): string =>
  `${formatInteger(rate)}/s, ${formatInteger(cpuUs)} µs CPU, p50 ${p50Ms.toFixed(p50Ms < 10 ? 2 : 0)} ms`;
