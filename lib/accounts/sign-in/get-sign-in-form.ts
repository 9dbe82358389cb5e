import { MIN_PASSWORD_LENGTH } from "@/lib/accounts/rules";
import { getSignInProviders } from "@/lib/accounts/social-sign-in/get-sign-in-providers";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import type { SignInForm } from "./contract";
import { SANDBOX_LABELS, SIGN_IN_LABELS, type SignInLabel } from "./rules-labels";

/** The providers and texts of the form in place (docs/product.md#72-accounts), in the reader's language. */
export function getSignInForm(locale: Locale): SignInForm {
  const t = shopTranslator(locale);
  const values = { count: MIN_PASSWORD_LENGTH };
  const { google, github, sandbox } = getSignInProviders();
  const keys = {
    ...SIGN_IN_LABELS,
    ...(sandbox.google && { google: SANDBOX_LABELS.google }),
    ...(sandbox.github && { github: SANDBOX_LABELS.github }),
  };
  const texts = Object.entries(keys).map(([name, key]) => [name, t(key, values)]);
  return {
    google: google && { client_id: google.clientId, script_url: google.scriptUrl },
    github,
    labels: Object.fromEntries(texts) as Record<SignInLabel, string>,
  };
}
