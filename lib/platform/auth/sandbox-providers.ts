import { createECDH, createHash, createPrivateKey, hkdfSync, type KeyObject } from "node:crypto";
import { createLocalJWKSet, SignJWT } from "jose";
import { env } from "@/lib/platform/env";
import { memoize } from "@/lib/platform/memoize";
import { decodeToken, encodeToken } from "./next-auth/tokens";

/*
 * Google and GitHub of the sandbox. A page of the shop (app/dev/sign-in) takes the place of theirs, signs tokens as they do, and
 * the sign-in then goes the same way as with theirs.
 */
export const SANDBOX_PROVIDERS = ["google", "github"] as const;
export type SandboxProvider = (typeof SANDBOX_PROVIDERS)[number];
export type SandboxPerson = { email: string; verified: boolean };

export const SANDBOX_CLIENT_ID = "sandbox";
export const SANDBOX_ISSUER = "sandbox-google";
export const SANDBOX_ALGORITHM = "ES256";
const CODE = { salt: "sandbox-github-code", maxAge: 600 };
const TOKEN = { salt: "sandbox-github-token", maxAge: 600 };
const ID_TOKEN_SECONDS = 3600;

/**
 * Whether a provider that is not configured has a stand-in. Anyone can sign in there with any address, as the local
 * mailbox already allows; so both exist in the sandbox only, and in production only if explicitly allowed.
 */
export function isSandboxSignIn(provider: SandboxProvider): boolean {
  const {
    APP_MODE,
    ALLOW_SANDBOX_IN_PRODUCTION,
    PAYMENT_MODE,
    MAIL_MODE,
    GOOGLE_CLIENT_ID,
    GITHUB_CLIENT_ID,
  } = env();
  if (APP_MODE === "production" && !ALLOW_SANDBOX_IN_PRODUCTION) return false;
  if (PAYMENT_MODE !== "sandbox" || MAIL_MODE !== "local") return false;
  return !(provider === "google" ? GOOGLE_CLIENT_ID : GITHUB_CLIENT_ID);
}

const subjectOf = ({ email }: SandboxPerson) =>
  `sandbox-${createHash("sha256").update(email.toLowerCase()).digest("hex").slice(0, 24)}`;
const nameOf = ({ email }: SandboxPerson) => email.split("@", 1)[0]!;

/** The key of Google's stand-in, derived from AUTH_SECRET, so that all instances have the same one. */
const signingKey = memoize((secret: string): { privateKey: KeyObject; publicJwk: object } => {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(Buffer.from(hkdfSync("sha256", secret, "", "sandbox google", 32)));
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicJwk = { kty: "EC", crv: "P-256", x, y };
  const jwk = { ...publicJwk, d: curve.getPrivateKey().toString("base64url") };
  return { privateKey: createPrivateKey({ key: jwk, format: "jwk" }), publicJwk };
});

/** The public keys of Google's stand-in. */
export const sandboxKeys = () =>
  createLocalJWKSet({ keys: [{ ...signingKey(env().AUTH_SECRET).publicJwk, alg: SANDBOX_ALGORITHM }] });

/** An id token with Google's claims. */
export function signSandboxIdToken(person: SandboxPerson, nonce: string): Promise<string> {
  const { email, verified: email_verified } = person;
  return new SignJWT({ email, email_verified, name: nameOf(person), nonce })
    .setProtectedHeader({ alg: SANDBOX_ALGORITHM })
    .setSubject(subjectOf(person))
    .setIssuer(SANDBOX_ISSUER)
    .setAudience(SANDBOX_CLIENT_ID)
    .setIssuedAt()
    .setExpirationTime(`${ID_TOKEN_SECONDS}s`)
    .sign(signingKey(env().AUTH_SECRET).privateKey);
}

type Purpose = typeof CODE | typeof TOKEN;
const seal = ({ salt, maxAge }: Purpose, kept: object): Promise<string> =>
  encodeToken({ token: { kept }, secret: env().AUTH_SECRET, maxAge, salt });

async function unseal<T>({ salt }: Purpose, token: unknown): Promise<T> {
  const decoded =
    typeof token === "string"
      ? await decodeToken({ token, secret: env().AUTH_SECRET, salt }).catch(() => null)
      : null;
  if (!decoded?.kept) throw new Error("the sandbox does not know this code or token");
  return decoded.kept as T;
}

type Grant = { person: SandboxPerson; challenge: string };

/** The code with which GitHub's stand-in sends the browser back. `challenge` is that of PKCE. */
export const issueSandboxCode = (person: SandboxPerson, challenge: string): Promise<string> =>
  seal(CODE, { person, challenge } satisfies Grant);

type Exchange = { code?: unknown; state?: unknown };
type Checks = { state?: string; code_verifier?: string };

/**
 * Exchanges a code for a token, with the checks that GitHub and its client make: state and PKCE.
 * @throws Error when one of them fails
 */
export async function exchangeSandboxCode({ code, state }: Exchange, checks: Checks): Promise<string> {
  const { person, challenge } = await unseal<Grant>(CODE, code);
  const verifier = createHash("sha256")
    .update(checks.code_verifier ?? "")
    .digest("base64url");
  if (!checks.state || state !== checks.state || verifier !== challenge)
    throw new Error("the sandbox refuses the exchange: state or verifier do not match");
  return seal(TOKEN, person);
}

/** What GitHub's API answers to a token: the user, or its addresses. */
export async function readSandboxGithub(path: string, token: string | undefined): Promise<unknown> {
  const person = await unseal<SandboxPerson>(TOKEN, token);
  if (path === "/user") return { id: subjectOf(person), login: nameOf(person), name: nameOf(person) };
  return [{ email: person.email, primary: true, verified: person.verified }];
}
