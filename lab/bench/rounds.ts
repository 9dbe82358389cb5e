import { type Load, loadWithWrk } from "./load";
import { familyMicros, type StartedProcess } from "./processes";
import { median } from "./table";

/** One measurement: responses, those per second, CPU time of the server for each, and the median time of a response. */
type Round = { requests: number; rate: number; cpuUs: number; p50Ms: number };
export type Contender = { server: Pick<StartedProcess, "process" | "port">; load: Omit<Load, "port"> };

/** Loads one server and measures its CPU time. */
async function measure({ server, load }: Contender): Promise<Round> {
  const before = familyMicros(server.process.pid);
  const { requests, failures, seconds, p50Ms } = await loadWithWrk({ ...load, port: server.port });
  const cpuUs = (familyMicros(server.process.pid) - before) / requests;
  if (failures > 0) throw new Error(`${failures} of ${requests} requests of ${load.paths[0]} failed.`);
  if (requests === 0) throw new Error(`No response to ${load.paths[0]} within ${load.seconds} s.`);
  return { requests, rate: requests / seconds, cpuUs, p50Ms };
}

/**
 * Rounds that are not counted, because frequently used code is still being compiled: a call costs twice as much in its first
 * two thousand requests. At least WARM_UPS rounds, and until so many responses were counted, unless that takes too long.
 */
export const WARM_UPS = 5;
const WARM_UPS_MAX = 20;
const WARM_RESPONSES = 5_000;

async function warmUp(contender: Contender): Promise<void> {
  let responses = 0;
  for (let round = 0; round < WARM_UPS || (round < WARM_UPS_MAX && responses < WARM_RESPONSES); round++)
    responses += (await measure(contender)).requests;
}

/** CPU time of a server for one request in milliseconds. */
export async function measureCpuMs(rounds: number, contender: Contender): Promise<number> {
  await warmUp(contender);
  const costs: number[] = [];
  while (costs.length < rounds) costs.push((await measure(contender)).cpuUs / 1000);
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
  return {
    requests: medianOf("requests"),
    rate: medianOf("rate"),
    cpuUs: medianOf("cpuUs"),
    p50Ms: medianOf("p50Ms"),
  };
};

/** Measures alternately this server and the yardstick. */
export async function compare(rounds: number, ours: Contender, yardstick: Contender): Promise<Comparison> {
  await warmUp(ours);
  await warmUp(yardstick);
  const pairs: { ours: Round; yardstick: Round }[] = [];
  while (pairs.length < rounds)
    pairs.push({ ours: await measure(ours), yardstick: await measure(yardstick) });
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
