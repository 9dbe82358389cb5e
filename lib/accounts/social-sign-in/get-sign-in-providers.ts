import { googleClientId } from "@/lib/platform/auth/google";
import { isSandboxSignIn } from "@/lib/platform/auth/sandbox-providers";
import { env } from "@/lib/platform/env";
import type { SignInProviders } from "./rules";

/** The script of Google's stand-in, on the origin of the page. */
const SANDBOX_SCRIPT = "/dev/sign-in/google/script";

/** The providers that are configured, or that the sandbox stands in for. */
export function getSignInProviders(): SignInProviders {
  const { GOOGLE_SCRIPT_URL, GITHUB_CLIENT_ID } = env();
  const clientId = googleClientId();
  const sandbox = { google: isSandboxSignIn("google"), github: isSandboxSignIn("github") };
  return {
    google: clientId ? { clientId, scriptUrl: sandbox.google ? SANDBOX_SCRIPT : GOOGLE_SCRIPT_URL } : null,
    github: Boolean(GITHUB_CLIENT_ID) || sandbox.github,
    sandbox,
  };
}
