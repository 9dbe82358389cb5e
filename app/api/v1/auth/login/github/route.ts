import { GithubLogin, GithubLoginInput } from "@/lib/accounts/social-sign-in/contract";
import { startGithubLogin } from "@/lib/accounts/social-sign-in/log-in-with-github";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";

export const POST = endpoint(
  {
    summary: "Start a log-in with GitHub",
    description:
      "Returns the URL of GitHub's page that the browser opens. GitHub redirects to /api/auth/callback/github, and that to `redirect`, or to /login with `error` (cancelled, unverified, failed).",
    access: "public",
    whileClosed: true,
    body: GithubLoginInput,
    result: GithubLogin,
    errors: ["sign_in_unavailable"],
    rate: [{ limit: 100, seconds: 900, by: "ip" }],
    failClosed: true,
    replay: false,
  },
  async ({ body, viewer }) => {
    const { url, cookies } = await startGithubLogin(viewer, body);
    return withCookies({ url }, cookies);
  },
);
