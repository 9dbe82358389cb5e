/** True in `npm run test:all`, where every trial runs in full; `npm test` runs fewer rounds of the same trials. */
export const isComplete = process.env.TEST_MATRIX === "all";

/** True in `npm test`, which leaves files out (complete-only.json). A run by hand has them. */
export const isShort = process.env.TEST_MATRIX === "";

/** How often a repeated trial runs. */
export const rounds = (full: number, short: number): number => (isComplete ? full : short);
