import { ConsoleReviews } from "@/components/reviews/console/review-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import { ConsoleReviewsInput } from "@/lib/reviews/console/contract";
import { listConsoleReviews } from "@/lib/reviews/console/list-console-reviews";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "reviews",
  path: "/console/reviews",
  title: "console.reviews.title",
  access: staff("reviews.moderate"),
  input: ConsoleReviewsInput,
  read: (input, { locale }) => listConsoleReviews(input, { locale, maskCodes }),
  screen: ConsoleReviews,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
