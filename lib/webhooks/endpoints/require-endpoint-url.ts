import { errorMessage } from "@/lib/platform/error-messages";
import { type ErrorName, ShopError } from "@/lib/platform/errors";
import { isBlockedAddress, resolveAddress } from "@/lib/platform/http/resolve-address";
import type { Locale } from "@/lib/platform/i18n/locales";
import { normalizeEndpointUrl } from "@/lib/webhooks/rules";
import { isSandboxReceiver } from "@/lib/webhooks/sandbox-receiver";

/** A host name without a public address: a single label, or a name in a private network. */
const PRIVATE_NAME = /^[^.]+\.?$|\.(?:localhost|local|internal|lan|home\.arpa)\.?$/i;

/**
 * The normalised address of an endpoint. Host names are resolved at each attempt only, because they change.
 * @throws ShopError webhook_url_invalid, webhook_address: no attempt would connect to this address or name
 */
export async function requireEndpointUrl(text: string, locale: Locale): Promise<string> {
  const refuse = (error: ErrorName) =>
    new ShopError(error, { issues: [{ path: "url", message: errorMessage(error, locale) }] });
  if (isSandboxReceiver(text)) return new URL(text).href;
  const url = normalizeEndpointUrl(text);
  if (!url) throw refuse("webhook_url_invalid");
  const { hostname } = new URL(url);
  const isLiteral = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  const literal = await resolveAddress(hostname, { lookUp: async () => [], isBlocked: isBlockedAddress });
  if (literal === "blocked" || (!isLiteral && PRIVATE_NAME.test(hostname))) throw refuse("webhook_address");
  return url;
}
