"use client";

import { useRouter } from "next/navigation";
import type { ComponentProps, MouseEvent } from "react";
import { openPage } from "@/components/ui/press";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";

/** Opens a console page (`/console/orders?x=1`) in the page's language. A press is answered before it is there (press.ts). */
export function useConsoleNavigate(): (href: string) => void {
  const toAddress = useConsoleAddress();
  const router = useRouter();
  return (href) => openPage(href.split(/[?#]/, 1)[0] ?? "", () => router.push(toAddress(href)));
}

/** An order's page has its number in lower case: another spelling is redirected. */
const ORDER = /^\/console\/orders\/PL-[\d-]+/;

/** The address of a console page (`/console/orders?x=1`) in the page's language. */
export function useConsoleAddress(): (href: string) => string {
  const page = useSurface();
  return (href) =>
    localizedPath(
      href.replace(ORDER, (path) => path.toLowerCase()),
      page,
    );
}

/** A link within the console, which keeps the frame. Other links are their own documents (components/ui/link.tsx). */
export function ConsoleLink({ href, onClick, ...rest }: ComponentProps<"a"> & { href: string }) {
  const address = useConsoleAddress()(href);
  const open = useConsoleNavigate();
  const navigate = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
    if (event.defaultPrevented || opensElsewhere) return;
    event.preventDefault();
    open(href);
  };
  return <a {...rest} href={address} onClick={navigate} />;
}
