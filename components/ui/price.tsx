import { classNames } from "@/components/ui/class-names";

/** A formatted price with the list price struck through. Screen readers hear `list.label` before that. */
export function Price({
  text,
  list,
  className,
}: {
  text: string;
  list?: { text: string; label: string };
  className?: string;
}) {
  return (
    <span className={classNames("price figures", className)}>
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
