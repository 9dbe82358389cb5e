import type { TimelineEntry } from "@/lib/orders/console/contract-detail";

/** Entries this close to the one before belong to one burst. */
const BURST_SECONDS = 10;
/** Fewer entries are shown as they are. */
const BURST_ENTRIES = 3;

/** What the machine did in a few seconds, the oldest first; of one entry where nothing is folded. */
export type Burst = { entries: readonly TimelineEntry[] };

/** What staff wrote or did is never folded. */
const standsAlone = ({ kind }: TimelineEntry) => kind === "note" || kind === "staff";

/** Folds what happened within seconds; the oldest first. What staff wrote or did stands alone. */
export function foldBursts(entries: readonly TimelineEntry[]): Burst[] {
  const runs: TimelineEntry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isClose =
      last !== undefined &&
      !standsAlone(entry) &&
      !standsAlone(last) &&
      Date.parse(entry.at) - Date.parse(last.at) <= BURST_SECONDS * 1_000;
    if (isClose) run!.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run): Burst[] =>
    run.length >= BURST_ENTRIES ? [{ entries: run }] : run.map((entry) => ({ entries: [entry] })),
  );
}

/** The kinds that say what a burst was about, the most telling first. */
const TELLING: readonly TimelineEntry["kind"][] = [
  "order",
  "refund",
  "dispute",
  "warning",
  "payment",
  "key",
  "email",
];
const MAX_NAMES = 4;

/** The entries that name a burst: its most telling kind, each event once, at most four. */
export function namesOfBurst({ entries }: Burst): TimelineEntry[] {
  const kind = TELLING.find((each) => entries.some((entry) => entry.kind === each));
  const telling = entries.filter((entry) => entry.kind === kind);
  const first = telling.filter(({ event }, i) => telling.findIndex((other) => other.event === event) === i);
  return first.slice(0, MAX_NAMES);
}

/** The times of a burst with seconds, the end without what it shares with the beginning: `20:09:14–16`. */
export function burstTimes(from: string, to: string): string {
  if (from === to) return from;
  const shared = from.slice(0, from.lastIndexOf(":") + 1);
  return `${from}–${to.startsWith(shared) ? to.slice(shared.length) : to}`;
}
