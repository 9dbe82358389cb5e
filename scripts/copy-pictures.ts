import { copyMissingPictures } from "@/lib/catalog/images/copy-pictures";
import { env } from "@/lib/platform/env";
import { runCommand } from "./command/run-command";

/** npm run pictures:copy: copies the pictures that PICTURE_BUCKET lacks, as the worker does every night. */
async function main(): Promise<number> {
  if (!env().PICTURE_BUCKET) {
    console.log("PICTURE_BUCKET is not set: pictures are in the database alone.");
    return 2;
  }
  console.log(`${await copyMissingPictures()} pictures copied.`);
  return 0;
}

await runCommand(import.meta.url, main);
