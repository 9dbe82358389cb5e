import { ConsolePosts } from "@/components/blog/console/post-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsolePostsInput } from "@/lib/blog/console/contract";
import { listConsolePosts, listPostCategories } from "@/lib/blog/console/list-console-posts";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("posts.write");
const PATH = "/console/posts";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.posts" }))("title"),
  );

export default async function ConsolePostsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsolePostsInput, (input) =>
    listConsolePosts(input, page.locale),
  );
  return <ConsolePosts list={list} values={values} categories={await listPostCategories(page.locale)} />;
}
