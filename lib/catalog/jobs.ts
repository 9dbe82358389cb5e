import { z } from "zod";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { copyMissingPictures, copyPicture } from "./images/commands-bucket";
import { CopyPicture } from "./images/contract-jobs";

/** Copies a new picture into PICTURE_BUCKET (docs/operations.md#pictures). */
export const copyPictureJob = defineJob({
  ...CopyPicture,
  run: ({ hash }) => copyPicture(hash),
});

/** Every night: copies the pictures that PICTURE_BUCKET lacks. */
export const copyMissingPicturesJob = defineJob({
  name: "copy-missing-pictures",
  schema: z.unknown(),
  cron: "52 2 * * *",
  async run() {
    const copied = await copyMissingPictures();
    if (copied > 0) log.info({ pictures: copied }, "pictures copied into the bucket");
  },
});
