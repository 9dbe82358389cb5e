"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { Link, type LinkProps } from "@/components/ui/link";
import { parsePath } from "@/lib/platform/routing/paths";

/**
 * A link that sets `aria-current` on its own page. It is set on the client, because cached pages share their header
 * and footer across paths.
 */
export function NavLink(props: LinkProps) {
  const changed = usePathname();
  const [here, setHere] = useState<string | null>(null);
  // Reads the address bar instead of the router, because a rewritten path differs between server and client.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is read again whenever the router moves.
  useEffect(() => setHere(parsePath(location.pathname).path), [changed]);
  return <Link {...props} aria-current={here === props.href ? "page" : undefined} />;
}
