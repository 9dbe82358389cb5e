// Writes PDF documents and the texts of share images in its own process, which lib/platform/drawing-process.ts starts
// with a limit of memory and ends at a deadline. In a release, this file and what it imports are one
// (scripts/release.mjs).
import { register } from "tsx/esm/api";

register();
await import("./document-jobs.ts");
