/** What was seen at one moment of a soak. Memory in bytes. */
export type Sample = {
  seconds: number;
  rss: number;
  heap: number;
  /** of the heap, what the last full garbage collection left; 0 before the first */
  left: number;
  external: number;
  cache: { pages: number; notFound: number; bytes: number };
  connections: number;
  /** jobs that are due and not done */
  queue: number;
  /** files and bytes that the build's folder holds */
  disk: number;
  /** requests so far, and what was wrong with them */
  requests: number;
  failures: number;
};

const MB = 1024 * 1024;
/** Memory has settled when the last third needs no more than the middle one, but for this. */
const ROOM = 1.08;
const ROOM_BYTES = 16 * MB;

const third = (samples: Sample[], at: 0 | 1 | 2) =>
  samples.slice(Math.floor((samples.length * at) / 3), Math.floor((samples.length * (at + 1)) / 3));
const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / (numbers.length || 1);
/** The lowest tenth: of what comes and goes, what stays. */
const floor = (numbers: number[]) =>
  mean([...numbers].sort((a, b) => a - b).slice(0, Math.max(1, Math.floor(numbers.length / 10))));

/** What did not settle, a sentence each. The first third is for caches to fill and code to be compiled. */
export function unsettled(samples: Sample[]): string[] {
  if (samples.length < 9) return ["too few samples to tell"];
  const wrong: string[] = [];
  const [first, middle, last] = [third(samples, 0), third(samples, 1), third(samples, 2)];
  const grows = (name: string, of: (sample: Sample) => number) => {
    const [before, after] = [floor(middle.map(of)), floor(last.map(of))];
    if (after > before * ROOM + ROOM_BYTES)
      wrong.push(`${name} grew from ${(before / MB).toFixed(0)} to ${(after / MB).toFixed(0)} MB`);
  };
  grows("rss", ({ rss }) => rss);
  grows("what full collections leave of the heap", ({ left }) => left);
  grows("memory outside of the heap", ({ external }) => external);
  const grewOnDisk = Math.max(...last.map(({ disk }) => disk)) - (first[0]?.disk ?? 0);
  if (grewOnDisk > MB) wrong.push(`the build's folder grew by ${(grewOnDisk / MB).toFixed(1)} MB`);
  if (mean(last.map(({ queue }) => queue)) > mean(middle.map(({ queue }) => queue)) * 2 + 50)
    wrong.push("the queue of jobs grows");
  return wrong;
}

type Row = [string, (sample: Sample) => number, (figure: number) => string];
const megabytes = (figure: number) => `${(figure / MB).toFixed(0)} MB`;
const whole = (figure: number) => figure.toFixed(0);
const ROWS: Row[] = [
  ["Resident memory", ({ rss }) => rss, megabytes],
  ["Heap in use", ({ heap }) => heap, megabytes],
  ["Heap after a full collection", ({ left }) => left, megabytes],
  ["Outside of the heap", ({ external }) => external, megabytes],
  ["Pages cached", ({ cache }) => cache.pages, whole],
  ["Missing pages cached", ({ cache }) => cache.notFound, whole],
  ["Cache", ({ cache }) => cache.bytes, (figure) => `${(figure / MB).toFixed(1)} MB`],
  ["Postgres connections", ({ connections }) => connections, whole],
  ["Jobs due", ({ queue }) => queue, whole],
  ["`.next`", ({ disk }) => disk, (figure) => `${(figure / MB).toFixed(1)} MB`],
];

/** First, middle and last third beside each other, lowest tenth–mean–highest. */
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
