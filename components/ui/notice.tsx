import type { ComponentProps, ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";

const LOOKS = {
  info: { icon: "info", tone: "text-quiet" },
  good: { icon: "check", tone: "text-good" },
  warn: { icon: "warn", tone: "text-warn" },
  bad: { icon: "warn", tone: "text-bad" },
} as const;

/** A persistent message. `live` announces it to screen readers when it appears after the page. */
export function Notice({
  kind = "info",
  title,
  action,
  live = false,
  className,
  children,
}: {
  kind?: keyof typeof LOOKS;
  title?: string;
  action?: ReactNode;
  live?: boolean;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <div
      role={live ? (kind === "bad" ? "alert" : "status") : undefined}
      className={classNames("flex gap-3 rounded-control border border-hairline bg-raised p-4", className)}
    >
      <Icon name={LOOKS[kind].icon} className={classNames("mt-0.5", LOOKS[kind].tone)} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={title ? "text-quiet" : undefined}>{children}</div>}
        {action && <div className="pt-2">{action}</div>}
      </div>
    </div>
  );
}

/** An error that appears after the page. Renders nothing without a message. */
export function ErrorNotice({ children, ...rest }: Omit<ComponentProps<typeof Notice>, "kind" | "live">) {
  if (!children) return null;
  return (
    <Notice kind="bad" live {...rest}>
      {children}
    </Notice>
  );
}
