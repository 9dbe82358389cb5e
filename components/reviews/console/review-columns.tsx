import { columnsOf } from "@/components/console/list/columns";
import type { Tone } from "@/components/console/pill";
import { Rating } from "@/components/console/rating";
import type { REPLY_STATES } from "@/lib/reviews/rules";

export type ReplyState = (typeof REPLY_STATES)[number];
export const REPLY_TONES: Record<ReplyState, Tone> = { waiting: "warn", shown: "good", refused: "bad" };

/** The stars and the words of a review, in the lists of staff and of merchants; `languageOf`: of its words. */
export function reviewColumns<Row extends { rating: number; title: string; content: string }>(
  labels: { rating: string; text: string },
  languageOf: (review: Row) => string,
) {
  const column = columnsOf<Row>();
  return [
    column.cell("rating", labels.rating, ({ rating }) => <Rating value={rating} />, {
      width: 92,
      card: "end",
    }),
    column.cell(
      "text",
      labels.text,
      (review) => (
        <span lang={languageOf(review)}>
          <span className="font-medium">{review.title}</span> {review.content}
        </span>
      ),
      { card: "sub" },
    ),
  ];
}
