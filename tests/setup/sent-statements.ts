/** A statement that was sent to Postgres, as postgres.js reports it to `debug`. */
export type SentStatement = { text: string; values: unknown[] };

/** In a global, because the setup file and the test load separate copies of this module. */
const globals: typeof globalThis & { passlaneSentStatements?: SentStatement[] } = globalThis;

/** Notes a statement while `collectStatements` runs (tests/setup/record-statements.ts calls it). */
export function noteStatement(text: string, values: unknown[]): void {
  globals.passlaneSentStatements?.push({ text, values: [...values] });
}

/** Runs work and returns the statements that it sent to Postgres. */
export async function collectStatements(run: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  globals.passlaneSentStatements = sent;
  try {
    await run();
  } finally {
    delete globals.passlaneSentStatements;
  }
  return sent;
}
