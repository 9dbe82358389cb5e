import { PostPictures } from "@/lib/blog/console/contract";
import { listPostPictures } from "@/lib/blog/console/queries";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Pictures that a post can show",
    description: "Those of posts first, then those of products, at most 120.",
    access: staff("posts.write"),
    result: PostPictures,
    errors: [],
  },
  () => listPostPictures(),
);
