/** The measurements of one moment. Memory in bytes. */
export type Sample = {
  seconds: number;
  rss: number;
  heap: number;
  /** Heap size after the last full garbage collection; 0 before the first. */
  left: number;
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
const ROOM = 1.08;
const ROOM_BYTES = 16 * MB;

const third = (samples: Sample[], at: 0 | 1 | 2) =>
  samples.slice(Math.floor((samples.length * at) / 3), Math.floor((samples.length * (at + 1)) / 3));
const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / (numbers.length || 1);
/** Mean of the lowest tenth, which excludes temporary memory. */
const floor = (numbers: number[]) =>
  mean([...numbers].sort((a, b) => a - b).slice(0, Math.max(1, Math.floor(numbers.length / 10))));

/** Lists what still grows. The first third is warm-up for caches and compiled code. */
export function unsettled(samples: Sample[]): string[] {
  if (samples.length < 9) return ["too few samples"];
  const wrong: string[] = [];
  const [first, middle, last] = [third(samples, 0), third(samples, 1), third(samples, 2)];
  const grows = (name: string, of: (sample: Sample) => number) => {
    const [before, after] = [floor(middle.map(of)), floor(last.map(of))];
    if (after > before * ROOM + ROOM_BYTES)
      wrong.push(`${name} grew from ${(before / MB).toFixed(0)} to ${(after / MB).toFixed(0)} MB`);
  };
  grows("rss", ({ rss }) => rss);
  grows("heap after full collections", ({ left }) => left);
  grows("memory outside the heap", ({ external }) => external);
  const grewOnDisk = Math.max(...last.map(({ disk }) => disk)) - (first[0]?.disk ?? 0);
  if (grewOnDisk > MB) wrong.push(`the build folder grew by ${(grewOnDisk / MB).toFixed(1)} MB`);
  if (mean(last.map(({ queue }) => queue)) > mean(middle.map(({ queue }) => queue)) * 2 + 50)
    wrong.push("the job queue grows");
  return wrong;
}

type Row = [string, (sample: Sample) => number, (figure: number) => string];
const megabytes = (figure: number) => `${(figure / MB).toFixed(0)} MB`;
const whole = (figure: number) => figure.toFixed(0);
const ROWS: Row[] = [
  ["Resident memory", ({ rss }) => rss, megabytes],
  ["Heap in use", ({ heap }) => heap, megabytes],
  ["Heap after a full collection", ({ left }) => left, megabytes],
  ["Outside the heap", ({ external }) => external, megabytes],
  ["Pages cached", ({ cache }) => cache.pages, whole],
  ["Missing pages cached", ({ cache }) => cache.notFound, whole],
  ["Cache", ({ cache }) => cache.bytes, (figure) => `${(figure / MB).toFixed(1)} MB`],
  ["Postgres connections", ({ connections }) => connections, whole],
  ["Jobs due", ({ queue }) => queue, whole],
  ["`.next`", ({ disk }) => disk, (figure) => `${(figure / MB).toFixed(1)} MB`],
];

/** A table of first, middle and last third: lowest tenth, mean, highest. */
export function soakTable(samples: Sample[]): string {
  const cells = (of: Row[1], show: Row[2]) =>
    ([0, 1, 2] as const).map((at) => {
      const figures = third(samples, at).map(of);
      return `${show(floor(figures))} – ${show(mean(figures))} – ${show(Math.max(...figures))}`;
    });
  const rate = (part: Sample[]) => {
    const [from, to] = [part[0], part.at(-1)];
    return from && to && to.seconds > from.seconds
      ? `${((to.requests - from.requests) / (to.seconds - from.seconds)).toFixed(0)}/s`
      : "–";
  };
  const failures = (part: Sample[]) => whole((part.at(-1)?.failures ?? 0) - (part[0]?.failures ?? 0));
  const thirds = [third(samples, 0), third(samples, 1), third(samples, 2)];
  return [
    ["Lowest tenth – mean – highest", "First third", "Middle third", "Last third"],
    ["---", "---", "---", "---"],
    ...ROWS.map(([name, of, show]) => [name, ...cells(of, show)]),
    ["Requests", ...thirds.map(rate)],
    ["Failures", ...thirds.map(failures)],
  ]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}
