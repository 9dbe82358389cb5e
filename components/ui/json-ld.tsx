import { JsonBlock } from "@/components/ui/json-block";
import { keepForHtml } from "@/lib/platform/pages/deferred-json-ld";

/**
 * Structured data for search engines in the initial HTML. Its text is escaped so that it cannot close the script
 * element.
 */
export function JsonLd({ of }: { of: unknown }) {
  const json = JSON.stringify(of).replace(/</g, "\\u003c");
  const place = keepForHtml(json);
  return place === undefined ? <JsonBlock json={json} /> : <JsonBlock place={place} />;
}
