import { JsonBlock } from "@/components/ui/json-block";
import { keepForHtml } from "@/lib/platform/pages/deferred-json-ld";

/** Structured data for search engines, in the first HTML. No text in it can end the script. */
export function JsonLd({ of }: { of: unknown }) {
  const json = JSON.stringify(of).replace(/</g, "\\u003c");
  const place = keepForHtml(json);
  return place === undefined ? <JsonBlock json={json} /> : <JsonBlock place={place} />;
}
