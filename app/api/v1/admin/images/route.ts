import { PostPictures } from "@/lib/blog/console/contract";
import { listPostPictures } from "@/lib/blog/console/list-post-pictures";
import { UploadedImage } from "@/lib/catalog/console/contract-editor";
import { UPLOAD_LIMIT_BYTES, UPLOAD_TYPES } from "@/lib/catalog/images/rules";
import { uploadPicture } from "@/lib/catalog/images/upload-picture";
import { endpoint, fileEndpoint } from "@/lib/platform/api/endpoint";
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

export const POST = fileEndpoint(
  {
    summary: "Upload a picture for a product",
    description:
      "PNG, JPEG, WebP, AVIF or SVG of at most 16 MB and 40 million pixels. The shop stores a new picture drawn from it, without its metadata. `image` is for the line of a product.",
    access: staff("products.write"),
    file: { types: UPLOAD_TYPES, limitBytes: UPLOAD_LIMIT_BYTES },
    result: UploadedImage,
    errors: [
      "picture_type",
      "picture_broken",
      "picture_pixels",
      "picture_small",
      "picture_vector",
      "picture_complex",
      "pictures_busy",
    ],
    rate: [{ limit: 300, seconds: 3600, by: "user" }],
  },
  ({ file }) => uploadPicture(file),
);
