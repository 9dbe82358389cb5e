import { moderateReview } from "@/lib/reviews/moderation/commands";
import { listReviewsForStaff } from "@/lib/reviews/moderation/queries";
import type { ReviewState } from "@/lib/reviews/rules";
import {
  formatTable,
  formatTime,
  optionText,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
} from "./staff-command";

const EXCERPT = 60;
const excerpt = (text: string) => (text.length > EXCERPT ? `${text.slice(0, EXCERPT - 1)}…` : text);

async function moderate({ args, options, actor }: StaffCall, state: ReviewState) {
  const [id = ""] = args;
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
  list: {
    usage: "[--hidden]",
    description: "lists the newest shown reviews, or the hidden ones",
    args: 0,
    options: { hidden: { type: "boolean" } },
    async run({ options }) {
      const found = await listReviewsForStaff(options.hidden ? "hidden" : "published");
      const rows = found.map((review) => [
        review.id,
        formatTime(review.createdAt),
        `${review.rating}/5`,
        review.product,
        review.email,
        excerpt(`${review.title}: ${review.content}`),
        review.hiddenReason ?? "",
      ]);
      const emptyText = options.hidden ? "No review is hidden." : "No review is shown.";
      return {
        text: formatTable(
          ["id", "written", "rating", "product", "by", "text", "hidden because"],
          rows,
          emptyText,
        ),
        json: found,
      };
    },
  },
  hide: {
    usage: 'ID --reason "…"',
    description: "removes it from the product's page, rating and markup",
    args: 1,
    options: { reason: { type: "string" } },
    required: ["reason"],
    run: (call) => moderate(call, "hidden"),
  },
  show: {
    usage: "ID",
    description: "shows it again",
    args: 1,
    run: (call) => moderate(call, "published"),
  },
};
