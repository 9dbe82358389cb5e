import { merchant } from "@/lib/merchants/rules";
import { connectAccount } from "@/lib/payouts/accounts/connect-account";
import { ProviderLink } from "@/lib/payouts/accounts/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Open the payment provider's page for the merchant's account",
    description:
      "Where merchants of the country are paid by the payment provider. The address works once, for some minutes. The account counts 48 hours after the provider has accepted it; all owners are mailed.",
    access: merchant("payouts.manage"),
    result: ProviderLink,
    errors: ["no_provider", "provider_unavailable"],
    replay: false,
  },
  ({ viewer, locale }) => connectAccount(viewer, locale),
);
