import {
  ConsoleReplacementList,
  ConsoleReplacementsInput,
} from "@/lib/delivery/console/contract-replacements";
import { listConsoleReplacements } from "@/lib/delivery/console/list-console-replacements";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Requests to replace codes that do not work",
    description:
      "50 a page: the open ones, oldest first; with another `state` the decided ones, newest first. `blocked_by` says what stops an approval. Totals are counted to 1,000.",
    access: staff(LIST_PERMISSIONS.replacements),
    query: ConsoleReplacementsInput,
    result: ConsoleReplacementList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listConsoleReplacements(viewer, query, locale),
);
