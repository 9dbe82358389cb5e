import { IMAGE_LIMIT_BYTES } from "@/lib/catalog/images/validate-picture";
import { fileEndpoint } from "@/lib/platform/api/endpoint";
import { ImportPictureQuery, ImportPictureStored } from "@/lib/staff/imports/contract";
import { keepPicture } from "@/lib/staff/imports/keep-picture";
import { PICTURE_TYPES } from "@/lib/staff/imports/rules";
import { staff } from "@/lib/staff/rules";

export const POST = fileEndpoint(
  {
    summary: "Send a picture that a catalogue file names",
    description: "It is found by its file name in the viewer's previews and imports of the next 24 hours.",
    access: staff("imports.run"),
    file: { types: PICTURE_TYPES, limitBytes: IMAGE_LIMIT_BYTES },
    query: ImportPictureQuery,
    result: ImportPictureStored,
    errors: [
      "picture_type",
      "picture_broken",
      "picture_pixels",
      "picture_vector",
      "picture_complex",
      "pictures_busy",
    ],
    rate: [{ limit: 2000, seconds: 3600, by: "user" }],
  },
  ({ viewer, file, query }) => keepPicture(viewer, query.name, file),
);
