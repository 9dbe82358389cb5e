import { listReviewsForStaff } from "@/lib/reviews/moderation/list-reviews-for-staff";
import { moderateReview } from "@/lib/reviews/moderation/moderate-review";
import type { ReviewState } from "@/lib/reviews/rules";
import {
  decisionText,
  formatTime,
  listVerb,
  refusedDecision,
  SEEN,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
} from "./command";

const EXCERPT = 60;
const excerpt = (text: string) => (text.length > EXCERPT ? `${text.slice(0, EXCERPT - 1)}…` : text);

async function moderate({ id, values: { reason, version }, actor }: StaffCall, state: ReviewState) {
  const moderation = { state, staffId: actor, version, ...(reason && { reason }) };
  const outcome = await moderateReview(id, moderation).catch(refusedDecision);
  if (!outcome) throw new StaffCommandError(`There is no review ${id}.`);
  if (outcome === "ruled") throw new StaffCommandError(`A rule keeps the review ${id} hidden.`);
  const stateText = state === "hidden" ? "hidden" : "shown";
  return {
    text: decisionText(`The review ${id}`, stateText, outcome === "done"),
    json: { id, state, outcome },
  };
}

/** Reviews: list, hide, show again. */
export const reviews: StaffNoun = {
  list: listVerb({
    usage: "[--hidden]",
    description: "lists the newest shown reviews, or the hidden ones",
    options: { hidden: "flag" },
    find: (flags) => listReviewsForStaff(flags.has("hidden") ? "hidden" : "published"),
    columns: {
      id: (review) => review.id,
      version: (review) => review.version,
      written: (review) => formatTime(review.createdAt),
      rating: (review) => `${review.rating}/5`,
      product: (review) => review.product,
      by: (review) => review.email,
      text: (review) => excerpt(`${review.title}: ${review.content}`),
      "hidden because": (review) => review.hiddenReason ?? "",
    },
    emptyText: (flags) => (flags.has("hidden") ? "No review is hidden." : "No review is shown."),
  }),
  hide: {
    usage: 'ID --version VERSION --reason "…"',
    description: "removes it from the product's page, rating and markup",
    options: { ...SEEN, reason: "required" },
    run: (call) => moderate(call, "hidden"),
  },
  show: {
    usage: "ID --version VERSION",
    description: "shows it again",
    options: SEEN,
    run: (call) => moderate(call, "published"),
  },
};
