import { UploadedImage } from "@/lib/catalog/console/contract-editor";
import { UPLOAD_LIMIT_BYTES, UPLOAD_TYPES } from "@/lib/catalog/images/rules";
import { uploadPicture } from "@/lib/catalog/images/upload-picture";
import { merchant } from "@/lib/merchants/rules";
import { fileEndpoint } from "@/lib/platform/api/endpoint";

export const POST = fileEndpoint(
  {
    summary: "Upload a picture for a product",
    description:
      "PNG, JPEG, WebP, AVIF or SVG of at most 16 MB and 40 million pixels. The shop stores a new picture drawn from it, without its metadata. `image` is for the line of a product.",
    access: merchant("products.write"),
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
