import { env } from "@/lib/platform/env";
import type { SignInProviders } from "./rules";

export function getSignInProviders(): SignInProviders {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_SCRIPT_URL: scriptUrl, GITHUB_CLIENT_ID } = env();
  return { google: clientId ? { clientId, scriptUrl } : null, github: Boolean(GITHUB_CLIENT_ID) };
}
