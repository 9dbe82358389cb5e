import { type Absolute, atPace, type Pace, paceOf, type Told } from "./pace";

/** One line of the table of `npm run bench`: our figure, the yardstick's of the same run, the bar, and whether it holds. */
export type BenchLine = {
  what: string;
  ours: string;
  yardstick: string;
  /** Ours by the yardstick's: the median over alternating rounds. */
  ratio?: number;
  bar: string;
  /** null: no bar, a figure to know. */
  holds: boolean | null;
  /** The part of the bar that depends on the machine's speed. */
  absolute?: Absolute;
  /** What this line tells of that speed. */
  tells?: Told;
};

/** The table as Markdown; the terminal shows the same. */
export function benchTable(lines: BenchLine[]): string {
  const head = ["What", "Ours", "Yardstick", "Ratio", "Bar", "Holds", "At the bars' pace"];
  const pace = paceOf(lines.flatMap(({ tells }) => tells ?? []));
  const rows = lines.map(({ what, ours, yardstick, ratio, bar, holds, absolute }) => [
    what,
    ours,
    yardstick,
    ratio === undefined ? "–" : ratio.toFixed(2),
    bar,
    holds === null ? "–" : yesOrNo(holds),
    absolute ? paced(absolute, pace) : "–",
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const yesOrNo = (holds: boolean) => (holds ? "yes" : "**no**");

function paced(absolute: Absolute, pace: Pace): string {
  const found = atPace(absolute, pace);
  return found
    ? `${found.there.toFixed(found.there < 20 ? 1 : 0)} ${absolute.unit}, ${yesOrNo(found.holds)}`
    : "–";
}

/** The machine's pace, in words. */
export function paceLine(lines: readonly BenchLine[]): string {
  const { handler, transaction } = paceOf(lines.flatMap(({ tells }) => tells ?? []));
  const said = (name: string, pace: number | undefined) => (pace ? [`${name} ${pace.toFixed(2)}`] : []);
  const all = [...said("by the empty handler", handler), ...said("by the bare transaction", transaction)];
  return all.length > 0 ? `This machine's pace (1: where the bars were set): ${all.join(", ")}.` : "";
}
