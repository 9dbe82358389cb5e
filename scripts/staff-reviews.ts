import { moderateReview } from "@/lib/reviews/moderation/commands";
import { listReviewsForStaff } from "@/lib/reviews/moderation/queries";
import type { ReviewState } from "@/lib/reviews/rules";
import {
  formatTime,
  listVerb,
  optionText,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
} from "./staff-command";

const EXCERPT = 60;
const excerpt = (text: string) => (text.length > EXCERPT ? `${text.slice(0, EXCERPT - 1)}…` : text);

async function moderate({ id, options, actor }: StaffCall, state: ReviewState) {
  const reason = optionText(options.reason);
  const outcome = await moderateReview(id, { state, staffId: actor, ...(reason && { reason }) });
  if (!outcome) throw new StaffCommandError(`There is no review ${id}.`);
  const stateText = state === "hidden" ? "hidden" : "shown";
  return {
    text:
      outcome === "done"
        ? `The review ${id} is ${stateText}.`
        : `The review ${id} was ${stateText} before; nothing was changed.`,
    json: { id, state, outcome },
  };
}

/** Reviews: list, hide, show again. */
export const reviews: StaffNoun = {
  list: listVerb({
    usage: "[--hidden]",
    description: "lists the newest shown reviews, or the hidden ones",
    options: { hidden: { type: "boolean" } },
    find: ({ hidden }) => listReviewsForStaff(hidden ? "hidden" : "published"),
    columns: {
      id: (review) => review.id,
      written: (review) => formatTime(review.createdAt),
      rating: (review) => `${review.rating}/5`,
      product: (review) => review.product,
      by: (review) => review.email,
      text: (review) => excerpt(`${review.title}: ${review.content}`),
      "hidden because": (review) => review.hiddenReason ?? "",
    },
    emptyText: ({ hidden }) => (hidden ? "No review is hidden." : "No review is shown."),
  }),
  hide: {
    usage: 'ID --reason "…"',
    description: "removes it from the product's page, rating and markup",
    options: { reason: { type: "string" } },
    required: ["reason"],
    run: (call) => moderate(call, "hidden"),
  },
  show: {
    usage: "ID",
    description: "shows it again",
    run: (call) => moderate(call, "published"),
  },
};
