type Result = { answer: Record<string, unknown>; bytes?: Buffer };
/** Answers the jobs of lib/platform/drawing-process.ts, one after the other. */
export function answerJobs<Job>(run: (job: Job, bytes: Buffer) => Promise<Result>): void;
