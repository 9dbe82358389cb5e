import { PostEditor } from "@/components/blog/console/post-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsolePostParams } from "@/lib/blog/console/contract";
import { getConsolePost, listPostCategories } from "@/lib/blog/console/queries";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("posts.write");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.posts" }))("title"),
  );

async function findPost(id: string) {
  const params = ConsolePostParams.safeParse({ id });
  if (!params.success) return undefined;
  return getConsolePost(params.data.id).catch((error: unknown) => {
    if (!isShopError(error, "post_unknown")) throw error;
  });
}

export default async function ConsolePostPage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/posts/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const post = await findPost(id);
  if (!post) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const today = new Date().toISOString().slice(0, 10);
  // The key opens the editor anew for another post; a refresh keeps what is being written.
  return (
    <PostEditor
      key={post.post_id}
      post={post}
      categories={await listPostCategories(page.locale)}
      today={today}
    />
  );
}
