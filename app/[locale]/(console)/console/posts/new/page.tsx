import { PostEditor } from "@/components/blog/console/post-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listPostCategories } from "@/lib/blog/console/list-console-posts";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("posts.write");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.posts" }))("new"),
  );

export default async function NewPostPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/posts/new");
  if (!page) return <NotFoundScreen />;
  const today = new Date().toISOString().slice(0, 10);
  return <PostEditor post={null} categories={await listPostCategories(page.locale)} today={today} />;
}
