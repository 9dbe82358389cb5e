import type { Tx } from "@/db/client";
import { reason } from "@/lib/platform/error-messages";
import type { ImportError } from "./contract";
import { textsOfRecord } from "./rules-line";
import type { ParsedLine } from "./store-plans";

/** Which of these texts contain an activation code: delivery says it (`findTextsWithCode`), which catalog may not import. */
export type FindTextsWithCode = (tx: Tx, texts: readonly string[]) => Promise<boolean[]>;

/** A line that changes something, and the one that it replaces. */
type ChangedLine<Line extends ParsedLine> = { parsed: Line; before: unknown };

/** The lines with an activation code in a text that they change, which would be published in clear text. */
export async function refuseCodes<Line extends ParsedLine>(
  tx: Tx,
  changes: readonly ChangedLine<Line>[],
  findTextsWithCode: FindTextsWithCode | undefined,
): Promise<Map<Line, ImportError>> {
  const refusals = new Map<Line, ImportError>();
  if (!findTextsWithCode) return refusals;
  const texts = changes.flatMap(({ parsed, before }) =>
    textsOfRecord(parsed.value, before).map((text) => ({ ...text, parsed })),
  );
  const found = await findTextsWithCode(
    tx,
    texts.map(({ text }) => text),
  );
  for (const [i, { parsed, path }] of texts.entries())
    if (found[i] && !refusals.has(parsed))
      refusals.set(parsed, { line: parsed.line, path, ...reason("note_has_code") });
  return refusals;
}
