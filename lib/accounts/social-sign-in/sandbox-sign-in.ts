import { z } from "zod";
import { SANDBOX_LABELS } from "@/lib/accounts/sign-in/rules-labels";
import {
  isSandboxSignIn,
  issueSandboxCode,
  SANDBOX_PROVIDERS,
  type SandboxPerson,
  type SandboxProvider,
  signSandboxIdToken,
} from "@/lib/platform/auth/sandbox-providers";
import { env } from "@/lib/platform/env";
import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { SANDBOX_CLOSE_LABEL, SANDBOX_PAGE_LABELS, type SandboxPageLabels } from "./rules-sandbox";

/** What a page of the shop hands over with the reader, as it does to the provider itself; `nonce` is Google's, the rest GitHub's. */
const SandboxRequest = z.object({
  locale: z.string().refine(isLocale).catch(DEFAULT_LOCALE),
  nonce: z.string().max(200).optional(),
  state: z.string().max(500).optional(),
  code_challenge: z.string().max(200).optional(),
  redirect_uri: z.string().max(500).optional(),
});
type Fields = Record<string, unknown>;

export type SandboxPage = {
  provider: SandboxProvider;
  locale: Locale;
  labels: SandboxPageLabels;
  /** Sent back with the form. */
  fields: Record<string, string>;
};

const findProvider = (name: string): SandboxProvider | undefined =>
  SANDBOX_PROVIDERS.find((provider) => provider === name && isSandboxSignIn(provider));

/** The page in place of a provider's; null when the sandbox does not stand in for it. */
export function findSandboxPage(name: string, query: Fields): SandboxPage | null {
  const provider = findProvider(name);
  const { data: request } = SandboxRequest.safeParse(query);
  if (!provider || !request) return null;
  const locale = request.locale as Locale;
  const t = shopTranslator(locale);
  const labels = Object.entries(SANDBOX_PAGE_LABELS).map(([label, key]) => [label, t(key)]);
  const parameters = Object.entries(request).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    provider,
    locale,
    labels: Object.fromEntries(labels) as SandboxPageLabels,
    fields: Object.fromEntries(parameters),
  };
}

/** `redirect`: GitHub's way back. `credential`: Google's token for the page that opened the window; null when cancelled. */
export type SandboxAnswer =
  | { redirect: string }
  | { credential: string | null; locale: Locale; closeLabel: string };

/** What the provider answers to the reader's choice: `email`, `verified`, or `cancel`. Null without a valid address. */
export async function answerSandboxSignIn(name: string, form: Fields): Promise<SandboxAnswer | null> {
  const provider = findProvider(name);
  const { data: request } = SandboxRequest.safeParse(form);
  const { data: email } = z.email().max(254).safeParse(form.email);
  const cancelled = form.cancel !== undefined;
  if (!provider || !request || (!email && !cancelled)) return null;
  const person = cancelled ? null : { email: email!, verified: form.verified !== undefined };
  if (provider === "github") return redirectToCallback(request, person);
  const locale = request.locale as Locale;
  const credential = person && (await signSandboxIdToken(person, request.nonce ?? ""));
  return { credential, locale, closeLabel: shopTranslator(locale)(SANDBOX_CLOSE_LABEL) };
}

type RequestFields = z.output<typeof SandboxRequest>;

/** Only to the callback of this shop. */
async function redirectToCallback(
  { state = "", code_challenge = "", redirect_uri }: RequestFields,
  person: SandboxPerson | null,
): Promise<SandboxAnswer | null> {
  const callback = new URL("/api/auth/callback/github", env().APP_URL);
  if (redirect_uri !== callback.href) return null;
  callback.searchParams.set("state", state);
  if (person) callback.searchParams.set("code", await issueSandboxCode(person, code_challenge));
  else callback.searchParams.set("error", "access_denied");
  return { redirect: callback.href };
}

/** Runs in the pages that sign in: the part of Google's script that they use. */
const STAND_IN = `(labels) => {
  let settings;
  const renderButton = (place, look) => {
    const button = document.createElement("button");
    const locale = look.locale.slice(0, 2);
    button.type = "button";
    button.textContent = labels[locale];
    button.className = "button button-secondary w-full";
    button.dataset.standIn = "google";
    button.onclick = () => {
      const query = new URLSearchParams({ nonce: settings.nonce, locale });
      const opened = window.open("/dev/sign-in/google?" + query, "sandbox-google", "popup,width=480,height=640");
      const receive = ({ origin, source, data }) => {
        if (origin !== location.origin || source !== opened || !data || !data.sandboxCredential) return;
        removeEventListener("message", receive);
        settings.callback({ credential: data.sandboxCredential });
      };
      addEventListener("message", receive);
    };
    place.append(button);
  };
  window.google = { accounts: { id: { initialize: (given) => void (settings = given), renderButton } } };
}`;

/** The script in place of Google's; null when the sandbox does not stand in for Google. */
export function sandboxGoogleScript(): string | null {
  if (!findProvider("google")) return null;
  const labels = LOCALES.map((locale) => [locale, shopTranslator(locale)(SANDBOX_LABELS.google)]);
  return `(${STAND_IN})(${JSON.stringify(Object.fromEntries(labels))});`;
}
