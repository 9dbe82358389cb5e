import { ConsoleReviews } from "@/components/reviews/console/review-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { maskCodes } from "@/lib/delivery/code-text/find-codes";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { ConsoleReviewsInput } from "@/lib/reviews/console/contract";
import { listConsoleReviews } from "@/lib/reviews/console/list-console-reviews";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("reviews.moderate");
const PATH = "/console/reviews";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.reviews" }))("title"),
  );

export default async function ConsoleReviewsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleReviewsInput, (input) =>
    listConsoleReviews(input, { locale: page.locale, maskCodes }),
  );
  const { items: views } = await listViews(page.viewer, "reviews");
  const tools = <ListTools list="reviews" values={values} views={views} />;
  return <ConsoleReviews list={list} values={values} tools={tools} />;
}
