import { classNames } from "@/components/ui/class-names";

/** A gray placeholder for a line of text. The parent sets its height and width. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames("skeleton", className)} />;
}
