import { createHash } from "node:crypto";

const INLINE_SCRIPT = /<script((?:\s[^>]*)?)>([\s\S]*?)<\/script>/g;

/** A policy that allows the inline scripts of this page by their hashes, and no other (docs/decisions/0003-use-nonces-or-hashes-for-scripts.md). */
export function withScriptHashes(policy: string, html: string): string {
  const hashes = new Set<string>();
  for (const [, attributes = "", text = ""] of html.matchAll(INLINE_SCRIPT)) {
    if (/\ssrc=/.test(attributes) || /type="application\//.test(attributes)) continue;
    hashes.add(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
  return policy.replace("script-src 'self' 'unsafe-inline'", `script-src 'self' ${[...hashes].join(" ")}`);
}
