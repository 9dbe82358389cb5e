import { parseCookie, parseSetCookie } from "cookie";
import { z } from "zod";
import { EmailAddress } from "@/lib/platform/api/fields";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { observe } from "@/lib/platform/telemetry/telemetry";
import { createGithubProvider, type SignInCallbacks } from "./next-auth/github-provider";
import { callNextAuth } from "./next-auth/handler";
import {
  exchangeSandboxCode,
  isSandboxSignIn,
  readSandboxGithub,
  SANDBOX_CLIENT_ID,
} from "./sandbox-providers";
import { SESSION_SECONDS } from "./session";
import type { VerifiedIdentity } from "./verified-identity";

const TIMEOUT_MS = 10_000;
const PROVIDER = "github";

type Profile = { id: string; name?: string; email: string | null };
const User = z.object({
  id: z.union([z.int(), z.string().min(1)]),
  login: z.string(),
  name: z.string().nullish(),
});
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** Calls GitHub's API with the user's token. */
async function fetchGithub<T>(path: string, token: string | undefined, schema: z.ZodType<T>): Promise<T> {
  if (isSandboxSignIn(PROVIDER)) return schema.parse(await readSandboxGithub(path, token));
  const response = await observe({ kind: "provider", name: "github api" }, () =>
    fetch(`${env().GITHUB_API_BASE}${path}`, {
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "user-agent": env().APP_NAME.replace(/[^\x20-\x7e]/g, ""),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }),
  );
  if (!response.ok) throw new Error(`GitHub responded with ${response.status} to ${path}`);
  return schema.parse(await response.json());
}

/** The profile. Only the primary address counts, and only when GitHub has verified it. */
async function fetchProfile(token: string | undefined): Promise<Profile> {
  const user = await fetchGithub("/user", token, User);
  const emails = await fetchGithub("/user/emails", token, Emails);
  const address = EmailAddress.safeParse(emails.find(({ primary, verified }) => primary && verified)?.email);
  return { id: String(user.id), name: user.name ?? user.login, email: address.data ?? null };
}

/** What GitHub and its stand-in of the sandbox differ in. `page`: where the browser goes. */
function endpoints() {
  if (isSandboxSignIn(PROVIDER))
    return {
      page: `${env().APP_URL}/dev/sign-in/github`,
      clientId: SANDBOX_CLIENT_ID,
      clientSecret: SANDBOX_CLIENT_ID,
      token: {
        async request({ params, checks }: { params: object; checks: object }) {
          return { tokens: { access_token: await exchangeSandboxCode(params, checks) } };
        },
      },
    };
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret, GITHUB_LOGIN_BASE: base } = env();
  if (!clientId || !clientSecret) throw new ShopError("sign_in_unavailable");
  const token = `${base}/login/oauth/access_token`;
  return { page: `${base}/login/oauth/authorize`, clientId, clientSecret, token };
}

function provider() {
  const { page, clientId, clientSecret, token } = endpoints();
  return createGithubProvider({
    clientId,
    clientSecret,
    checks: ["pkce", "state"],
    issuer: `${env().GITHUB_LOGIN_BASE}/login/oauth`,
    authorization: { url: page, params: { scope: "read:user user:email" } },
    token,
    userinfo: {
      url: `${env().GITHUB_API_BASE}/user`,
      request: ({ tokens }) => fetchProfile(tokens.access_token) as never,
    },
    // next-auth types the profile as GitHub's full response; fetchProfile() returns ours.
    profile: (profile) => profile as unknown as Profile,
    httpOptions: { timeout: TIMEOUT_MS },
  });
}

const options = (callbacks: SignInCallbacks) => ({
  providers: [provider()],
  session: { strategy: "jwt" as const, maxAge: SESSION_SECONDS },
  callbacks,
});

/**
 * Starts next-auth's flow: returns GitHub's page and the cookies (state and PKCE) for the callback. The page of the sandbox
 * speaks the language of `locale`.
 * @throws ShopError sign_in_unavailable
 */
export async function startGithubSignIn(locale: Locale): Promise<{ url: string; cookies: string[] }> {
  const authOptions = options({});
  const csrf = await callNextAuth({ method: "GET", path: ["csrf"], cookies: {} }, authOptions);
  const { csrfToken } = csrf.body as { csrfToken: string };
  const cookies = Object.fromEntries(
    csrf.cookies.map((line) => parseSetCookie(line)).map(({ name, value }) => [name, value]),
  );
  const body = { csrfToken, json: "true" };
  const response = await callNextAuth(
    { method: "POST", path: ["signin", PROVIDER], body, cookies },
    authOptions,
  );
  const { url } = response.body as { url?: string };
  if (!url?.startsWith(`${endpoints().page}?`)) {
    const cause = new Error("next-auth returned an address that is not GitHub's");
    throw new ShopError("sign_in_unavailable", { cause });
  }
  const target = isSandboxSignIn(PROVIDER) ? `${url}&locale=${locale}` : url;
  return { url: target, cookies: keepSignInCookies(response.cookies) };
}

/** The cookies of next-auth that a sign-in needs: state, PKCE and the session. */
const keepSignInCookies = (lines: string[]) =>
  lines.filter((line) => !/next-auth\.(csrf-token|callback-url)=/.test(line));

/** Opens our session for a verified identity and returns its id; a thrown error aborts the sign-in. */
export type OpenSession = (identity: VerifiedIdentity) => Promise<string>;
export type GithubFailure = "cancelled" | "unverified" | "failed";
export type GithubResult =
  | { ok: true; cookies: string[] }
  | { ok: false; failure: GithubFailure; cookies: string[] };

/**
 * Finishes the flow at GitHub's callback: next-auth checks state and PKCE and exchanges the code; its session cookie
 * then holds only our session's id.
 */
export async function finishGithubSignIn(
  { query, cookie }: { query: Record<string, string>; cookie: string | null },
  openSession: OpenSession,
): Promise<GithubResult> {
  let failure: GithubFailure = query.error === "access_denied" ? "cancelled" : "failed";
  let sid: string | undefined;
  const authOptions = options({
    async signIn({ user, account }) {
      const subject = account?.providerAccountId;
      if (!user.email || !subject) {
        failure = "unverified";
        return false;
      }
      const email = user.email.toLowerCase();
      sid = await openSession({ provider: PROVIDER, subject, email, name: user.name ?? undefined });
      return true;
    },
    jwt: () => ({ sid }),
  });
  const cookies = parseCookie(cookie ?? "");
  const response = await callNextAuth(
    { method: "GET", path: ["callback", PROVIDER], query, cookies },
    authOptions,
  );
  const lines = keepSignInCookies(response.cookies);
  return sid ? { ok: true, cookies: lines } : { ok: false, failure, cookies: lines };
}
