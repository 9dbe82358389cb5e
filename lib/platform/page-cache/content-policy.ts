import { createHash } from "node:crypto";

const INLINE_SCRIPT = /<script((?:\s[^>]*)?)>([\s\S]*?)<\/script>/g;

/**
 * Adds the hashes of this page's inline scripts to the policy, so that no other inline script runs
 * (docs/decisions/0003-use-nonces-or-hashes-for-scripts.md).
 */
export function withScriptHashes(policy: string, html: string): string {
  const hashes = new Set<string>();
  for (const [, attributes = "", text = ""] of html.matchAll(INLINE_SCRIPT)) {
    const isData = /type="application\//.test(attributes);
    if (isData || /\ssrc=/.test(attributes)) continue;
    hashes.add(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
  return policy.replace("script-src 'self'", `script-src 'self' ${[...hashes].join(" ")}`);
}
