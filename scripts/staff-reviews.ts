import { moderateReview } from "@/lib/reviews/moderation/commands";
import { listReviewsForStaff } from "@/lib/reviews/moderation/queries";
import type { ReviewState } from "@/lib/reviews/rules";
import { moment, type StaffCall, StaffCommandError, type StaffNoun, table, textOf } from "./staff-command";

const EXCERPT = 60;
const excerpt = (text: string) => (text.length > EXCERPT ? `${text.slice(0, EXCERPT - 1)}…` : text);

async function moderate({ args, options, by }: StaffCall, state: ReviewState) {
  const [id = ""] = args;
  const reason = textOf(options.reason);
  const done = await moderateReview(id, { state, staffId: by, ...(reason && { reason }) });
  if (!done) throw new StaffCommandError(`There is no review ${id}.`);
  const now = state === "hidden" ? "hidden" : "shown";
  return {
    text:
      done === "done"
        ? `The review ${id} is ${now}.`
        : `The review ${id} was ${now} before; nothing was changed.`,
    json: { id, state, outcome: done },
  };
}

/** Reviews: read, hide everywhere, show again. */
export const reviews: StaffNoun = {
  list: {
    usage: "[--hidden]",
    what: "the newest that are shown, or those that are hidden",
    args: 0,
    options: { hidden: { type: "boolean" } },
    async run({ options }) {
      const found = await listReviewsForStaff(options.hidden ? "hidden" : "published");
      const rows = found.map((one) => [
        one.id,
        moment(one.createdAt),
        `${one.rating}/5`,
        one.product,
        one.email,
        excerpt(`${one.title}: ${one.content}`),
        one.hiddenReason ?? "",
      ]);
      const nothing = options.hidden ? "No review is hidden." : "No review is shown.";
      return {
        text: table(["id", "written", "rating", "product", "by", "text", "hidden because"], rows, nothing),
        json: found,
      };
    },
  },
  hide: {
    usage: 'ID --reason "…"',
    what: "takes it off the product's page, its rating and its markup",
    args: 1,
    options: { reason: { type: "string" } },
    needs: ["reason"],
    run: (call) => moderate(call, "hidden"),
  },
  show: {
    usage: "ID",
    what: "puts it back",
    args: 1,
    run: (call) => moderate(call, "published"),
  },
};
