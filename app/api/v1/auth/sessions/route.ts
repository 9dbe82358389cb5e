import { SessionList } from "@/lib/accounts/devices/contract";
import { listSessions } from "@/lib/accounts/devices/list-sessions";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  { summary: "The devices with an active session", access: "user", result: SessionList, errors: [] },
  ({ viewer }) => listSessions(viewer),
);
