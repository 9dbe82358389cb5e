import type { TokenScope } from "@/lib/merchants/rules";

/** An example of the developers page: a call, with the scope that a token needs. */
export type CallExample = {
  name: "me" | "profile" | "products" | "keys" | "sales" | "money" | "requests";
  path: string;
  scope: TokenScope;
  /** of a call that writes, for this plan */
  body?: (planId: number) => object;
};

/** The examples of the developers page, which tests/api/merchant-developers.test.ts runs. `console.merchant_developers.example.<name>` says what each does. */
export const CALL_EXAMPLES: readonly CallExample[] = [
  { name: "me", path: "/merchant/me", scope: "products:read" },
  { name: "profile", path: "/merchant/profile", scope: "products:read" },
  { name: "products", path: "/merchant/products", scope: "products:read" },
  {
    name: "keys",
    path: "/merchant/keys/import",
    scope: "keys:write",
    body: (plan_id) => ({
      plan_id,
      keys: ["ABCD-EFGH-JKLM", "NPQR-STUV-WXYZ"],
      statement: "Made by our licence server.",
    }),
  },
  { name: "sales", path: "/merchant/sales?state=sold&from=2026-01-01", scope: "sales:read" },
  { name: "money", path: "/merchant/money", scope: "money:read" },
  { name: "requests", path: "/merchant/requests?kind=refund", scope: "requests:write" },
];

/** The example for a shell. The token is in the environment, so that it is not in the shell history. */
export function curlExample(origin: string, { path, body }: CallExample, planId: number): string {
  const data = body && [
    `--header "Content-Type: application/json"`,
    `--data '${JSON.stringify(body(planId))}'`,
  ];
  return [
    "curl --fail-with-body --silent --show-error",
    `--header "Authorization: Bearer $PASSLANE_TOKEN"`,
    ...(data ?? []),
    `"${origin}/api/v1${path}"`,
  ].join(" \\\n  ");
}

/** The same for Node 20 or a browser-like runtime. */
export function fetchExample(origin: string, { path, body }: CallExample, planId: number): string {
  const authorization = `authorization: \`Bearer \${process.env.PASSLANE_TOKEN}\``;
  const request = body
    ? `  method: "POST",
  headers: { ${authorization}, "content-type": "application/json" },
  body: JSON.stringify(${JSON.stringify(body(planId), null, 2).replaceAll("\n", "\n  ")}),`
    : `  headers: { ${authorization} },`;
  return `const response = await fetch("${origin}/api/v1${path}", {
${request}
});
const { success, message, data } = await response.json();
if (!success) throw new Error(message);
console.log(JSON.stringify(data));`;
}

/** A receiver that verifies each message; tests/domain/webhooks-delivery.test.ts runs it. */
export const WEBHOOK_EXAMPLE = `import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.PASSLANE_WEBHOOK_SECRET);

createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  try {
    const { type, data } = webhook.verify(body, request.headers);
    console.log(request.headers["webhook-id"], type, data);
    response.end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(8080);`;
