import { z } from "zod";
import { makeFile } from "@/lib/catalog/feeds/make-file";
import { copyMissingPictures, copyPicture } from "@/lib/catalog/images/copy-pictures";
import { drawStoredPictures } from "@/lib/catalog/images/draw-stored-pictures";
import { MakeFile } from "@/lib/platform/generated-files";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
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

/** Makes a file for machines when a reader finds it old (docs/product.md#28-files-and-addresses-for-machines). */
export const makeFileJob = defineJob({ ...MakeFile, run: makeFile });

/** Every minute: draws the drawings that a release before this job has stored. Pages show the placeholder until then. */
export const drawStoredPicturesJob = defineJob({
  name: "draw-stored-pictures",
  schema: z.unknown(),
  cron: "* * * * *",
  run: () => drawStoredPictures(),
});
