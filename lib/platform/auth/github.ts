import { parseCookie, parseSetCookie } from "cookie";
import type { NextAuthOptions } from "next-auth";
import GithubProvider from "next-auth/providers/github";
import { z } from "zod";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";

import { callNextAuth } from "./next-auth";
import { SESSION_SECONDS } from "./session";
import type { VerifiedIdentity } from "./verified-identity";

const FETCH_MS = 10_000;
const PROVIDER = "github";

type Profile = { id: string; name?: string; email: string | null };
const User = z.object({
  id: z.union([z.int(), z.string().min(1)]),
  login: z.string(),
  name: z.string().nullish(),
});
const Emails = z.array(z.object({ email: z.email().max(254), primary: z.boolean(), verified: z.boolean() }));

/** Calls GitHub's API with the user's token. */
async function ask<T>(path: string, token: string | undefined, shape: z.ZodType<T>): Promise<T> {
  const answer = await fetch(`${env().GITHUB_API_BASE}${path}`, {
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "user-agent": env().APP_NAME.replace(/[^\x20-\x7e]/g, ""),
    },
    signal: AbortSignal.timeout(FETCH_MS),
  });
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${path}`);
  return shape.parse(await answer.json());
}

/** The profile. Only the primary address counts, and only when GitHub has verified it. */
async function profileOf(token: string | undefined): Promise<Profile> {
  const user = await ask("/user", token, User);
  const emails = await ask("/user/emails", token, Emails);
  const email = emails.find(({ primary, verified }) => primary && verified)?.email ?? null;
  return { id: String(user.id), name: user.name ?? user.login, email };
}

function provider() {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret, GITHUB_LOGIN_BASE: base } = env();
  if (!clientId || !clientSecret) throw new ShopError("sign_in_unavailable");
  return GithubProvider({
    clientId,
    clientSecret,
    checks: ["pkce", "state"],
    issuer: `${base}/login/oauth`,
    authorization: { url: `${base}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
    token: `${base}/login/oauth/access_token`,
    userinfo: {
      url: `${env().GITHUB_API_BASE}/user`,
      request: ({ tokens }) => profileOf(tokens.access_token) as never,
    },
    profile: (profile) => profile as unknown as Profile,
    httpOptions: { timeout: FETCH_MS },
  });
}

const options = (callbacks: NextAuthOptions["callbacks"]) => ({
  providers: [provider()],
  session: { strategy: "jwt" as const, maxAge: SESSION_SECONDS },
  callbacks,
});

/**
 * Starts next-auth's flow: returns GitHub's page and the cookies (state and PKCE) for the callback.
 * @throws ShopError sign_in_unavailable
 */
export async function startGithubSignIn(): Promise<{ url: string; cookies: string[] }> {
  const asked = options({});
  const csrf = await callNextAuth({ method: "GET", path: ["csrf"], cookies: {} }, asked);
  const { csrfToken } = csrf.body as { csrfToken: string };
  const cookies = Object.fromEntries(
    csrf.cookies.map((line) => parseSetCookie(line)).map(({ name, value }) => [name, value]),
  );
  const body = { csrfToken, json: "true" };
  const answer = await callNextAuth({ method: "POST", path: ["signin", PROVIDER], body, cookies }, asked);
  const { url } = answer.body as { url?: string };
  if (!url?.startsWith(`${env().GITHUB_LOGIN_BASE}/`)) {
    const cause = new Error("the way to GitHub leads elsewhere");
    throw new ShopError("sign_in_unavailable", { cause });
  }
  return { url, cookies: kept(answer.cookies) };
}

/** The cookies of next-auth that a sign-in needs: state, PKCE and the session. */
const kept = (lines: string[]) => lines.filter((line) => !/next-auth\.(csrf-token|callback-url)=/.test(line));

/** Opens our session for a verified identity and returns its id; a thrown error aborts the sign-in. */
export type OpenSession = (person: VerifiedIdentity) => Promise<string>;
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
  admit: OpenSession,
): Promise<GithubResult> {
  let why: GithubFailure = query.error === "access_denied" ? "cancelled" : "failed";
  let sid: string | undefined;
  const asked = options({
    async signIn({ user, account }) {
      const subject = account?.providerAccountId;
      if (!user.email || !subject) {
        why = "unverified";
        return false;
      }
      const email = user.email.toLowerCase();
      sid = await admit({ provider: PROVIDER, subject, email, name: user.name ?? undefined });
      return true;
    },
    jwt: () => ({ sid }),
  });
  const cookies = parseCookie(cookie ?? "");
  const answer = await callNextAuth({ method: "GET", path: ["callback", PROVIDER], query, cookies }, asked);
  const lines = kept(answer.cookies);
  return sid ? { ok: true, cookies: lines } : { ok: false, failure: why, cookies: lines };
}
