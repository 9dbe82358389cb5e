import type { DocumentJob } from "@/lib/platform/drawing-process";
import { damagedFonts } from "@/lib/platform/images/share-fonts";
import { answerJobs } from "./drawing-jobs.mjs";

/** Each job loads only the libraries that it needs. */
async function draw(job: DocumentJob): Promise<Buffer> {
  if (job.job === "pdf") {
    const { writePdf } = await import("@/lib/platform/pdf-writer");
    const info = { ...job.info, createdAt: new Date(job.info.createdAt) };
    return writePdf(job.blocks, info, job.locale);
  }
  const { drawCard } = await import("@/lib/platform/images/share-card");
  return Buffer.from(await drawCard(job.texts, job.locale));
}

answerJobs<DocumentJob>(async (job) => {
  try {
    const bytes = await draw(job);
    return { answer: { damagedFonts: damagedFonts.splice(0) }, bytes };
  } catch (error) {
    if (error instanceof RangeError) return { answer: { error: "complex" } };
    return { answer: { failure: error instanceof Error ? error.stack : String(error) } };
  }
});
