"use client";

import { useRouter } from "next/navigation";
import type { ComponentProps, MouseEvent } from "react";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";

/** The address of a console page (`/console/orders?x=1`) in the page's language. */
export function useConsoleAddress(): (href: string) => string {
  const page = useSurface();
  return (href) => localizedPath(href, page);
}

/** A link within the console, which keeps the frame. Other links are their own documents (components/ui/link.tsx). */
export function ConsoleLink({ href, onClick, ...rest }: ComponentProps<"a"> & { href: string }) {
  const address = useConsoleAddress()(href);
  const router = useRouter();
  const navigate = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
    if (event.defaultPrevented || opensElsewhere) return;
    event.preventDefault();
    router.push(address);
  };
  return <a {...rest} href={address} onClick={navigate} />;
}
