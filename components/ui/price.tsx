/** A formatted price with the list price struck through. Screen readers hear `list.label` before that. */
export function Price({ text, list }: { text: string; list?: { text: string; label: string } }) {
  return (
    <span className="price figures">
      <span>{text}</span>
      {list && (
        <span className="text-13 font-normal text-quiet">
          <span className="sr-only">{list.label} </span>
          <s>{list.text}</s>
        </span>
      )}
    </span>
  );
}
