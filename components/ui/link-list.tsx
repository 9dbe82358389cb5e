"use client";

import { Link } from "@/components/ui/link";

/** A vertical list of links, given as URLs and labels. */
export function LinkList({
  links,
  className,
}: {
  links: readonly (readonly [href: string, text: string])[];
  className?: string;
}) {
  return (
    <ul className={className}>
      {links.map(([href, text]) => (
        <li key={href}>
          <Link href={href}>{text}</Link>
        </li>
      ))}
    </ul>
  );
}
