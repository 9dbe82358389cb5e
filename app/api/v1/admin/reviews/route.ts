import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { ConsoleReviewList, ConsoleReviewsInput } from "@/lib/reviews/console/contract";
import { listConsoleReviews } from "@/lib/reviews/console/list-console-reviews";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Reviews with their authors",
    description:
      "50 a page, newest first. Totals are counted to 1,000. Where a filter has no index, a page looks at a part only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff(LIST_PERMISSIONS.reviews),
    query: ConsoleReviewsInput,
    result: ConsoleReviewList,
    errors: ["cursor_invalid", "email_invalid"],
  },
  ({ query, locale }) => listConsoleReviews(query, { locale, maskCodes }),
);
