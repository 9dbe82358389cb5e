import { classNames } from "@/components/ui/class-names";

/**
 * A formatted price ("$14.90", or the word for free) with the list price struck through beside it. `list.label`
 * describes the struck price to screen readers ("List price").
 */
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
