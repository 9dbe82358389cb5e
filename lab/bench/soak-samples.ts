/** The measurements of one moment. Memory in bytes. */
export type Sample = {
  seconds: number;
  rss: number;
  heap: number;
  /** Heap size after the last full garbage collection; 0 before the first. */
  heapAfterGc: number;
  external: number;
  cache: { pages: number; notFound: number; bytes: number };
  connections: number;
  /** Due jobs. */
  queue: number;
  /** Bytes in the build folder. */
  disk: number;
  /** Requests so far, and failed ones. */
  requests: number;
  failures: number;
};

const MB = 1024 * 1024;
/** Memory is stable when the last third uses at most this factor and offset more than the middle one. */
const GROWTH_FACTOR = 1.08;
const GROWTH_BYTES = 16 * MB;

const third = (samples: Sample[], index: 0 | 1 | 2) =>
  samples.slice(Math.floor((samples.length * index) / 3), Math.floor((samples.length * (index + 1)) / 3));
const mean = (numbers: number[]) => numbers.reduce((sum, value) => sum + value, 0) / (numbers.length || 1);
/** Mean of the lowest tenth, which excludes temporary memory. */
const lowestTenth = (numbers: number[]) =>
  mean([...numbers].sort((a, b) => a - b).slice(0, Math.max(1, Math.floor(numbers.length / 10))));

/** Lists what still grows. The first third is warm-up for caches and compiled code. */
export function findGrowth(samples: Sample[]): string[] {
  if (samples.length < 9) return ["too few samples"];
  const problems: string[] = [];
  const [first, middle, last] = [third(samples, 0), third(samples, 1), third(samples, 2)];
  const checkGrowth = (name: string, getValue: (sample: Sample) => number) => {
    const [before, after] = [lowestTenth(middle.map(getValue)), lowestTenth(last.map(getValue))];
    if (after > before * GROWTH_FACTOR + GROWTH_BYTES)
      problems.push(`${name} grew from ${(before / MB).toFixed(0)} to ${(after / MB).toFixed(0)} MB`);
  };
  checkGrowth("rss", ({ rss }) => rss);
  checkGrowth("heap after full collections", ({ heapAfterGc }) => heapAfterGc);
  checkGrowth("memory outside the heap", ({ external }) => external);
  const diskGrowth = Math.max(...last.map(({ disk }) => disk)) - (first[0]?.disk ?? 0);
  if (diskGrowth > MB) problems.push(`the build folder grew by ${(diskGrowth / MB).toFixed(1)} MB`);
  if (mean(last.map(({ queue }) => queue)) > mean(middle.map(({ queue }) => queue)) * 2 + 50)
    problems.push("the job queue grows");
  return problems;
}

type Row = [string, (sample: Sample) => number, (value: number) => string];
const megabytes = (value: number) => (value / MB).toFixed(0);
const integer = (value: number) => value.toFixed(0);
const ROWS: Row[] = [
  ["Resident memory, MB", ({ rss }) => rss, megabytes],
  ["Heap in use, MB", ({ heap }) => heap, megabytes],
  ["Heap after a full collection, MB", ({ heapAfterGc }) => heapAfterGc, megabytes],
  ["Outside the heap, MB", ({ external }) => external, megabytes],
  ["Pages cached", ({ cache }) => cache.pages, integer],
  ["Missing pages cached", ({ cache }) => cache.notFound, integer],
  ["Cache, MB", ({ cache }) => cache.bytes, (value) => (value / MB).toFixed(1)],
  ["Postgres connections", ({ connections }) => connections, integer],
  ["Jobs due", ({ queue }) => queue, integer],
  ["`.next`, MB", ({ disk }) => disk, (value) => (value / MB).toFixed(1)],
];

/** A table of first, middle and last third: lowest tenth, mean, highest. */
export function soakTable(samples: Sample[]): string {
  const cells = (getValue: Row[1], format: Row[2]) =>
    ([0, 1, 2] as const).map((index) => {
      const values = third(samples, index).map(getValue);
      return [lowestTenth(values), mean(values), Math.max(...values)].map(format).join("/");
    });
  const rate = (part: Sample[]) => {
    const [from, to] = [part[0], part.at(-1)];
    return from && to && to.seconds > from.seconds
      ? integer((to.requests - from.requests) / (to.seconds - from.seconds))
      : "–";
  };
  const failures = (part: Sample[]) => integer((part.at(-1)?.failures ?? 0) - (part[0]?.failures ?? 0));
  const thirds = [third(samples, 0), third(samples, 1), third(samples, 2)];
  return [
    ["Lowest tenth/mean/highest", "First third", "Middle third", "Last third"],
    ["---", "---", "---", "---"],
    ...ROWS.map(([name, getValue, format]) => [name, ...cells(getValue, format)]),
    ["Requests a second", ...thirds.map(rate)],
    ["Failures", ...thirds.map(failures)],
  ]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}
