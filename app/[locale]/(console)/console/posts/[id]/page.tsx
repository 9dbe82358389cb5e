import { PostEditor } from "@/components/blog/console/post-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsolePostParams } from "@/lib/blog/console/contract";
import { getConsolePost } from "@/lib/blog/console/get-console-post";
import { listPostCategories } from "@/lib/blog/console/list-console-posts";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("posts.write"), {
  path: "/console/posts/[id]",
  title: "console.posts.title",
  read: async (id) => {
    const params = ConsolePostParams.safeParse({ id });
    return params.success ? getConsolePost(params.data.id) : null;
  },
  unknown: "post_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsolePostPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { found: post } = page;
  const today = new Date().toISOString().slice(0, 10);
  // The key resets the editor for another post; a refresh keeps what is being written.
  return (
    <PostEditor
      key={post.post_id}
      post={post}
      categories={await listPostCategories(page.locale)}
      today={today}
    />
  );
}
