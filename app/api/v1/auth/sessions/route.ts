import { SessionList } from "@/lib/accounts/devices/contract";
import { listSessions } from "@/lib/accounts/devices/queries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  { summary: "The devices that are signed in", access: "user", result: SessionList, errors: [] },
  ({ viewer }) => listSessions(viewer),
);
