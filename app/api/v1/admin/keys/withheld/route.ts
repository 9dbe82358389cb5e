import { ConsoleWithheldInput, ConsoleWithheldList } from "@/lib/delivery/console/contract-withheld";
import { listConsoleWithheld } from "@/lib/delivery/console/list-console-withheld";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Plans whose codes are withheld after a restore of the database",
    description:
      "Codes that may have been handed out before, until an administrator releases or revokes them.",
    access: staff("products.read"),
    query: ConsoleWithheldInput,
    result: ConsoleWithheldList,
    errors: ["cursor_invalid"],
  },
  ({ query, locale }) => listConsoleWithheld(query, locale),
);
