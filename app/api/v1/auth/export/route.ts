import { AccountExport } from "@/lib/accounts/export/contract";
import { exportAccount } from "@/lib/accounts/export/export-account";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Export all data stored about the account",
    description:
      "Requires a reauthentication within the last 15 minutes (`/auth/reauthenticate`). Activation codes are masked; the Library shows them.",
    access: "user",
    result: AccountExport,
    errors: ["reauthentication_required"],
    rate: [{ limit: 10, seconds: 3600, by: "user" }],
    replay: false,
  },
  ({ viewer }) => exportAccount(viewer),
);
