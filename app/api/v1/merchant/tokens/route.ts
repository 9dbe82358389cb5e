import { merchant } from "@/lib/merchants/rules";
import { TokenCreated, TokenInput, TokenList } from "@/lib/merchants/tokens/contract";
import { createToken } from "@/lib/merchants/tokens/create-token";
import { listTokens } from "@/lib/merchants/tokens/list-tokens";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The tokens of programs",
    access: merchant("tokens.manage", { reauthenticated: false }),
    result: TokenList,
    errors: [],
  },
  ({ viewer }) => listTokens(viewer),
);

export const POST = endpoint(
  {
    summary: "Make a token",
    description: "The token is in this answer only.",
    access: merchant("tokens.manage"),
    body: TokenInput,
    result: TokenCreated,
    errors: ["network_invalid", "tokens_full"],
    replay: false,
  },
  ({ viewer, body }) => createToken(viewer, body),
);
