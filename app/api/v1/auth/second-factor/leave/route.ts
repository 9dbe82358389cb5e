import { endpoint } from "@/lib/platform/api/endpoint";
import { StaffModeLeft } from "@/lib/staff/contract";
import { leaveStaffMode } from "@/lib/staff/factors/commands";
import { staffMember } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "End staff mode",
    description: "The session stays signed in as an ordinary user's.",
    access: staffMember,
    result: StaffModeLeft,
    errors: [],
  },
  async ({ viewer }) => {
    await leaveStaffMode(viewer);
    return { left: true as const };
  },
);
