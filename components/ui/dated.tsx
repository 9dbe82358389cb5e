import { splitDates } from "@/lib/platform/split-dates";

/** A text whose dates (split-dates.ts) are kept on one line, also in languages that may break between any two characters. */
export function Dated({ children }: { children: string }) {
  const pieces = splitDates(children);
  if (pieces.length === 1) return children;
  return pieces.map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text keep their places
      <span key={index} className="whitespace-nowrap">
        {piece}
      </span>
    ),
  );
}
