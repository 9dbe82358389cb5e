"use client";

import { Link } from "@/components/ui/link";

/** Links below each other, as addresses and words. */
export function LinkList({
  links,
  className,
  itemClass,
}: {
  links: readonly (readonly [href: string, text: string])[];
  className?: string;
  /** Of each link. */
  itemClass?: string;
}) {
  return (
    <ul className={className}>
      {links.map(([href, text]) => (
        <li key={href}>
          <Link href={href} className={itemClass}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
