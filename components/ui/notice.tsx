import type { ComponentProps, ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { Icon, type IconName } from "@/components/ui/icon";

export type NoticeKind = "info" | "good" | "warn" | "bad";
const ICONS: Record<NoticeKind, IconName> = { info: "info", good: "check", warn: "warn", bad: "warn" };
const TONES: Record<NoticeKind, string> = {
  info: "text-quiet",
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
};

/**
 * A persistent message: what happened, what was kept and what to do. `live` announces it to screen readers when it
 * appears after the page.
 */
export function Notice({
  kind = "info",
  title,
  action,
  live = false,
  className,
  children,
}: {
  kind?: NoticeKind;
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
      <Icon name={ICONS[kind]} className={classNames("mt-0.5", TONES[kind])} />
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
