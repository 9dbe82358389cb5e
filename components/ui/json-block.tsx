"use client";

import { keptForHtml } from "@/lib/platform/pages/deferred-json-ld";

/**
 * A JSON data block, passed directly or deferred to the HTML. On the client the block from the server-rendered
 * document stays unchanged.
 */
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
