"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { Link, type LinkProps } from "@/components/ui/link";
import { parsePath } from "@/lib/platform/routing/paths";

/** Sets `aria-current` on its own page, on the client, because cached pages share header and footer. */
export function NavLink(props: LinkProps) {
  const routerPath = usePathname();
  const [currentPath, setCurrentPath] = useState<string | null>(null);
  // Reads the address bar instead of the router, because a rewritten path differs between server and client.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is read again after each navigation
  useEffect(() => setCurrentPath(parsePath(location.pathname).path), [routerPath]);
  return <Link {...props} aria-current={currentPath === props.href ? "page" : undefined} />;
}
