import { NextIntlClientProvider, useMessages } from "next-intl";
import type { ReactNode } from "react";

type Branch = { [key: string]: Branch | string };

/**
 * Provides the named message namespaces ("cart", "errors.network") to client components. It is for login-required and
 * guest-only pages. Public pages pass formatted strings.
 */
export function ScopedMessages({ branches, children }: { branches: readonly string[]; children: ReactNode }) {
  const messages: Branch = useMessages();
  const picked: Branch = {};
  for (const branch of branches) copy(messages, picked, branch.split("."));
  return <NextIntlClientProvider messages={picked}>{children}</NextIntlClientProvider>;
}

function copy(from: Branch, into: Branch, [name = "", ...rest]: string[]): void {
  const found = from[name];
  if (found === undefined) throw new Error(`no messages called ${name}`);
  if (rest.length === 0 || typeof found === "string") {
    into[name] = found;
    return;
  }
  const below = into[name] ?? {};
  into[name] = below;
  if (typeof below !== "string") copy(found, below, rest);
}
