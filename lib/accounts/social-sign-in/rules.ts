import { USERNAME_PATTERN } from "@/lib/accounts/rules";

/** How a sign-in with a provider may fail; each has a message on the login page. */
const SIGN_IN_PROBLEMS = ["cancelled", "unverified", "failed"] as const;
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number];

export const isSignInProblem = (value: unknown): value is SignInProblem =>
  SIGN_IN_PROBLEMS.some((problem) => problem === value);

/** `sandbox`: the providers for which the sandbox stands in; their buttons say so. */
export type SignInProviders = {
  google: { clientId: string; scriptUrl: string } | null;
  github: boolean;
  sandbox: { google: boolean; github: boolean };
};

/** Turns a provider's display name into a username; undefined when no valid characters remain. */
export function usernameFromProviderName(name: string | undefined): string | undefined {
  const cleaned = name
    ?.replace(/[\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0<>]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const short = cleaned && Array.from(cleaned).slice(0, 40).join("").slice(0, 60).trim();
  return short && USERNAME_PATTERN.test(short) ? short : undefined;
}
