import { merchant } from "@/lib/merchants/rules";
import { createToken } from "@/lib/merchants/tokens/commands";
import { TokenCreated, TokenInput, TokenList } from "@/lib/merchants/tokens/contract";
import { listTokens } from "@/lib/merchants/tokens/queries";
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
