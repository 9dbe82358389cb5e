"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { Link, type LinkProps } from "@/components/ui/link";
import { parsePath } from "@/lib/platform/routing/paths";

/**
 * A link that knows when it leads to the page one is on (`aria-current`). Known only after the page is
 * there: served pages are the same for every path that shares their shell.
 */
export function NavLink(props: LinkProps) {
  const changed = usePathname();
  const [here, setHere] = useState<string | null>(null);
  // The address bar, not the router: a rewritten path reads differently on the two sides.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is read again whenever the router moves.
  useEffect(() => setHere(parsePath(location.pathname).path), [changed]);
  return <Link {...props} aria-current={here === props.href ? "page" : undefined} />;
}
