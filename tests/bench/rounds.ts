import type { Load, Loaded } from "./load";
import { cpuMicros, type Generator, type Started } from "./processes";
import { median } from "./table";

/** One measurement: answers in a second, and what each cost the server. */
export type Round = Loaded & { rate: number; cpuUs: number };
export type Contender = { server: Pick<Started, "process" | "port">; load: Omit<Load, "port"> };

/** Loads one server and reads what it used meanwhile. */
export async function measure(generator: Generator, { server, load }: Contender): Promise<Round> {
  const before = cpuMicros(server.process.pid);
  const loaded = await generator.run({ ...load, port: server.port });
  const cpuUs = (cpuMicros(server.process.pid) - before) / loaded.requests;
  if (loaded.failures > 0)
    throw new Error(`${loaded.failures} of ${loaded.requests} answers to ${load.paths[0]} were not 200.`);
  if (loaded.requests === 0) throw new Error(`No answer to ${load.paths[0]} within ${load.ms} ms.`);
  return { ...loaded, rate: loaded.requests / loaded.seconds, cpuUs };
}

export type Comparison = {
  ours: Round;
  yardstick: Round;
  /** The median of the rounds' own ratios: each compares two neighbours in time. */
  ratio: number;
  /** The same of processor time per answer, which a busy machine disturbs less. */
  cpuRatio: number;
};

const middle = (rounds: Round[]): Round => {
  const of = (name: keyof Round) => median(rounds.map((round) => round[name]));
  return {
    rate: of("rate"),
    cpuUs: of("cpuUs"),
    requests: of("requests"),
    failures: of("failures"),
    seconds: of("seconds"),
    cpuShare: of("cpuShare"),
    p50Ms: of("p50Ms"),
    p99Ms: of("p99Ms"),
  };
};

/**
 * So many rounds do not count: what runs often is compiled meanwhile, a piece at a time, for thousands of answers. A
 * server is measured as it runs for days, and its yardstick too.
 */
export const WARM_UPS = 5;

/** Ours, the yardstick, ours, … */
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
    ours: middle(pairs.map((pair) => pair.ours)),
    yardstick: middle(pairs.map((pair) => pair.yardstick)),
    ratio: median(pairs.map((pair) => pair.ours.rate / pair.yardstick.rate)),
    cpuRatio: median(pairs.map((pair) => pair.yardstick.cpuUs / pair.ours.cpuUs)),
  };
}

const whole = (figure: number) => Math.round(figure).toLocaleString("en");

export const figure = ({ rate, cpuUs, p50Ms }: Round): string =>
  `${whole(rate)}/s, ${whole(cpuUs)} µs CPU, p50 ${p50Ms.toFixed(p50Ms < 10 ? 2 : 0)} ms`;
