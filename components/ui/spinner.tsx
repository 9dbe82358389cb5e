import { classNames } from "@/components/ui/class-names";

/** A decorative spinner, as large as `className` says (18 px without). The loading element has `aria-busy`. */
export const Spinner = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={classNames("spinner", className)} />
);
