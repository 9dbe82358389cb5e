"use client";

import { keptForHtml } from "@/lib/platform/pages/deferred-json-ld";

/** A data block, given or kept for the HTML; in the browser the one that came with the document stays as it is. */
export function JsonBlock({ json, place = -1 }: { json?: string; place?: number }) {
  return (
    <script
      type="application/ld+json"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a data block; its one dangerous character is escaped.
      dangerouslySetInnerHTML={{ __html: json ?? keptForHtml(place) }}
    />
  );
}
