import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";

const LOOKS = {
  info: { icon: "info", tone: "text-quiet" },
  good: { icon: "check", tone: "text-good" },
  warn: { icon: "warn", tone: "text-warn" },
  bad: { icon: "warn", tone: "text-bad" },
} as const;

/** What went wrong with a form or an action. Renders nothing without a text. */
export function Problem({ text, className }: { text?: string; className?: string }) {
  if (!text) return null;
  return (
    <Notice kind="bad" live className={className}>
      {text}
    </Notice>
  );
}

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
