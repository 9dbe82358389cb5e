import { SessionList } from "@/lib/accounts/contract-sessions";
import { listSessions } from "@/lib/accounts/queries-devices";
import { endpoint } from "@/lib/endpoint";

export const GET = endpoint(
  { summary: "The devices that are signed in", access: "user", result: SessionList, errors: [] },
  ({ viewer }) => listSessions(viewer),
);
