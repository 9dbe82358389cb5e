import { AccountExport } from "@/lib/accounts/contract-export";
import { exportAccount } from "@/lib/accounts/queries-export";
import { endpoint } from "@/lib/endpoint";

export const POST = endpoint(
  {
    summary: "Everything that is kept about the account",
    description:
      "Needs a proof of the last 15 minutes (`/auth/reauthenticate`). Activation codes are masked: they are in the library.",
    access: "user",
    result: AccountExport,
    errors: ["proof_required"],
    rate: [{ limit: 10, seconds: 3600, by: "user" }],
    replay: false,
  },
  ({ viewer }) => exportAccount(viewer),
);
