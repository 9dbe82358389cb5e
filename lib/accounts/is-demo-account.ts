import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { DEMO_ACCOUNT_EMAIL } from "./rules";

/** Whether the viewer is the account of a demo, whose orders `npm start` makes up (scripts/start/demo-data.ts). */
export const isDemoAccount = ({ email }: UserViewer): boolean =>
  env().APP_MODE === "demo" && email.toLowerCase() === DEMO_ACCOUNT_EMAIL;
