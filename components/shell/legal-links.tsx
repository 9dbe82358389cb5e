"use client";

import { Link } from "@/components/ui/link";

export type LegalLinkLabels = { refunds: string; terms: string; privacy: string };

/** Links to the legal pages beside a legally binding button. They open a new tab, so that nothing typed is lost. */
export function LegalLinks({ labels }: { labels: LegalLinkLabels }) {
  const links = [
    ["/refund-policy", labels.refunds],
    ["/terms-of-service", labels.terms],
    ["/privacy-policy", labels.privacy],
  ] as const;
  return (
    <ul className="flex flex-wrap gap-x-4 text-13">
      {links.map(([href, text]) => (
        <li key={href}>
          <Link href={href} target="_blank" className="text-link flex min-h-11 items-center">
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
