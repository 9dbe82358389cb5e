import { type Load, loadWithWrk } from "./load";
import { familyMicros, type StartedProcess } from "./processes";
import { median } from "./table";

/** One measurement: responses per second, CPU time of the server for each, and the median time of a response. */
type Round = { rate: number; cpuUs: number; p50Ms: number };
export type Contender = { server: Pick<StartedProcess, "process" | "port">; load: Omit<Load, "port"> };

/** Loads one server and measures its CPU time. */
async function measure({ server, load }: Contender): Promise<Round> {
  const before = familyMicros(server.process.pid);
  const { requests, failures, seconds, p50Ms } = await loadWithWrk({ ...load, port: server.port });
  const cpuUs = (familyMicros(server.process.pid) - before) / requests;
  if (failures > 0) throw new Error(`${failures} of ${requests} requests of ${load.paths[0]} failed.`);
  if (requests === 0) throw new Error(`No response to ${load.paths[0]} within ${load.seconds} s.`);
  return { rate: requests / seconds, cpuUs, p50Ms };
}

/** CPU time of a server for one request in milliseconds. */
export async function measureCpuMs(rounds: number, contender: Contender): Promise<number> {
  const costs: number[] = [];
  for (let round = -WARM_UPS; round < rounds; round++) {
    const { cpuUs } = await measure(contender);
    if (round >= 0) costs.push(cpuUs / 1000);
  }
  return median(costs);
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
  return { rate: medianOf("rate"), cpuUs: medianOf("cpuUs"), p50Ms: medianOf("p50Ms") };
};

/**
 * Number of rounds that are not counted, because frequently used code is still being compiled for thousands of
 * requests.
 */
export const WARM_UPS = 5;

/** Measures alternately this server and the yardstick. */
export async function compare(rounds: number, ours: Contender, yardstick: Contender): Promise<Comparison> {
  const pairs: { ours: Round; yardstick: Round }[] = [];
  for (let round = -WARM_UPS; round < rounds; round++) {
    const pair = { ours: await measure(ours), yardstick: await measure(yardstick) };
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
