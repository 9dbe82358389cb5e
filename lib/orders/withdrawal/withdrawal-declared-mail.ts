import { findDeclaredWords } from "./find-declared-words";
import { isOrderReference } from "./rules-declaration";

/** The receipt of a declaration (docs/product.md#82-withdrawal): order number, passes and time, nothing else that was typed. */
export async function withdrawalDeclaredMail(declarationId: string, nth: number) {
  const declared = await findDeclaredWords(declarationId, nth);
  return (
    declared && {
      order: isOrderReference(declared.orderRef) ? declared.orderRef : null,
      isWhole: declared.words.passes === null,
      at: new Date(declared.words.at),
    }
  );
}
