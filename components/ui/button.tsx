import type { ComponentProps, MouseEvent } from "react";
import { classNames } from "@/components/ui/class-names";
import { Link, type LinkProps } from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";

/** `primary` is the main action of a screen and the only element in the accent color. */
export type ButtonLook = "primary" | "secondary" | "quiet" | "danger";
type Looks = { look?: ButtonLook; large?: boolean; block?: boolean };

const buttonClass = ({ look = "secondary", large, block }: Looks, more?: string) =>
  classNames("button", `button-${look}`, large && "button-large", block && "w-full", more);

// `disabled` is not used, because it would drop the keyboard focus.
const preventPress = (event: MouseEvent) => event.preventDefault();

/** While `pending`, a spinner is shown and presses are ignored, including a form submission by Enter. */
export function Button({
  look,
  large,
  block,
  pending = false,
  type = "button",
  className,
  onClick,
  children,
  ...rest
}: ComponentProps<"button"> & Looks & { pending?: boolean }) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={pending ? preventPress : onClick}
      className={buttonClass({ look, large, block }, classNames("relative", className))}
    >
      {pending && <Spinner className="absolute" />}
      <span className={classNames("inline-flex items-center gap-2", pending && "opacity-0")}>{children}</span>
    </button>
  );
}

/** A link styled as a button. */
export function ButtonLink({ look, large, block, className, ...rest }: LinkProps & Looks) {
  return <Link {...rest} className={buttonClass({ look, large, block }, className)} />;
}
