import { ConsolePosts } from "@/components/blog/console/post-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsolePostsInput } from "@/lib/blog/console/contract";
import { listConsolePosts, listPostCategories } from "@/lib/blog/console/list-console-posts";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "posts",
  path: "/console/posts",
  title: "console.posts.title",
  access: staff("posts.write"),
  input: ConsolePostsInput,
  read: (input, { locale }) => listConsolePosts(input, locale),
  more: async ({ locale }) => ({ categories: await listPostCategories(locale) }),
  screen: ConsolePosts,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
