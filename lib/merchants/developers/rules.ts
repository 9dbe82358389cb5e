import type { TokenScope } from "@/lib/merchants/rules";

/** An example of the developers page: a call that reads, with the scope that a token needs. */
export type CallExample = { name: "me" | "profile"; path: string; scope: TokenScope };

/** The examples of the developers page, which tests/api/merchant-developers.test.ts runs. `console.merchant_developers.example.<name>` says what each does. */
export const CALL_EXAMPLES: readonly CallExample[] = [
  { name: "me", path: "/merchant/me", scope: "products:read" },
  { name: "profile", path: "/merchant/profile", scope: "products:read" },
];

/** The example for a shell. The token stands in the environment, so that it is in no history of commands. */
export const curlExample = (origin: string, { path }: CallExample): string =>
  `curl --fail-with-body --silent --show-error \\
  --header "Authorization: Bearer $PASSLANE_TOKEN" \\
  ${origin}/api/v1${path}`;

/** The same for Node 20 or a browser-like runtime. */
export const fetchExample = (origin: string, { path }: CallExample): string =>
  `const response = await fetch("${origin}/api/v1${path}", {
  headers: { authorization: \`Bearer \${process.env.PASSLANE_TOKEN}\` },
});
const { success, message, data } = await response.json();
if (!success) throw new Error(message);
console.log(JSON.stringify(data));`;
