import { merchant } from "@/lib/merchants/rules";
import { TokenParams, TokenRevoked } from "@/lib/merchants/tokens/contract";
import { revokeToken } from "@/lib/merchants/tokens/revoke-token";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Revoke a token",
    access: merchant("tokens.manage"),
    params: TokenParams,
    result: TokenRevoked,
    errors: ["api_token_unknown"],
  },
  ({ viewer, params }) => revokeToken(viewer, params.id),
);
