import { NextIntlClientProvider, useMessages } from "next-intl";
import type { ReactNode } from "react";

type Branch = { [key: string]: Branch | string };

/**
 * Provides message namespaces to client components, and `more` messages of other files. Public pages pass formatted strings
 * instead.
 */
export function ScopedMessages({
  branches,
  more,
  children,
}: {
  branches: readonly string[];
  more?: Branch;
  children: ReactNode;
}) {
  const messages: Branch = useMessages();
  const selected: Branch = { ...more };
  for (const branch of branches) copyBranch(messages, selected, branch.split("."));
  return <NextIntlClientProvider messages={selected}>{children}</NextIntlClientProvider>;
}

function copyBranch(source: Branch, target: Branch, [name = "", ...rest]: string[]): void {
  const value = source[name];
  if (value === undefined) throw new Error(`Unknown message namespace: ${name}`);
  if (rest.length === 0 || typeof value === "string") {
    target[name] = value;
    return;
  }
  const child = target[name] ?? {};
  target[name] = child;
  if (typeof child !== "string") copyBranch(value, child, rest);
}
