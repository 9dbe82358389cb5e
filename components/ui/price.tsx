/**
 * The higher price beside a price. A former price is struck through, with `lowest`, the lowest one of 30 days, which is the
 * struck one where it names no price; screen readers hear `label` before it. A vendor's list price is all in `label`, because it is not a reduction.
 */
export type ListPrice = { label: string; text?: string; lowest?: string };

/** A formatted price and the one it is compared with. */
export function Price({ text, list }: { text: string; list?: ListPrice }) {
  return (
    <span className="price figures">
      <span>{text}</span>
      {list && (
        <span className="price-compared">
          {list.text ? (
            <>
              <span className="sr-only">{list.label} </span>
              <s>{list.text}</s>
              <span>{list.lowest}</span>
            </>
          ) : (
            list.label
          )}
        </span>
      )}
    </span>
  );
}
