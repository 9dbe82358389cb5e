import { AccountExport } from "@/lib/accounts/export/contract";
import { exportAccount } from "@/lib/accounts/export/queries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Everything that is kept about the account",
    description:
      "Needs a proof of the last 15 minutes (`/auth/reauthenticate`). Activation codes are masked: they are in the library.",
    access: "user",
    result: AccountExport,
    errors: ["reauthentication_required"],
    rate: [{ limit: 10, seconds: 3600, by: "user" }],
    replay: false,
  },
  ({ viewer }) => exportAccount(viewer),
);
