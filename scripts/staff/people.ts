import { STAFF_ROLES, type StaffRole } from "@/lib/platform/auth/permissions";
import { isShopError } from "@/lib/platform/errors";
import {
  grantRolesByOperator,
  resetFactorByOperator,
  revokeRolesByOperator,
} from "@/lib/staff/members/change-members-by-operator";
import { listStaffMembers } from "@/lib/staff/members/list-staff-members";
import { formatTime, listVerb, StaffCommandError, type StaffNoun } from "./command";

const isRole = (role: string): role is StaffRole => (STAFF_ROLES as readonly string[]).includes(role);

function parseRoles(text: string): StaffRole[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !isRole(name));
  if (unknown !== undefined)
    throw new StaffCommandError(`There is no role "${unknown}": use ${STAFF_ROLES.join(", ")}.`);
  return names.filter(isRole);
}

/** Runs a change; an unknown address becomes a sentence. */
async function changeMember<T>(email: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isShopError(error, "member_unknown")) throw error;
    throw new StaffCommandError(`There is no such account: ${email}. The person registers first.`);
  }
}

/** Who is staff (docs/operations.md#staff-members): for the first administrator, and when no one can open the console. */
export const people: StaffNoun = {
  list: listVerb({
    description: "lists the staff members",
    find: async () => (await listStaffMembers()).items,
    columns: {
      address: (member) => member.email,
      roles: (member) => member.roles.join(", "),
      "second factor": (member) => (member.enrolled ? "yes" : "no"),
      since: (member) => formatTime(member.since),
      "granted by": (member) => member.granted_by,
    },
    emptyText: "There are no staff members.",
  }),
  grant: {
    usage: 'EMAIL --role "admin"',
    description: `gives an account these roles in place of its earlier ones: ${STAFF_ROLES.join(", ")}, separated by commas`,
    options: { role: "required" },
    async run({ id: email, values, actor }) {
      const roles = parseRoles(values.role!);
      const { changed } = await changeMember(email, () => grantRolesByOperator(email, roles, actor));
      const text = changed
        ? `${email} is ${roles.join(", ")}. The person opens /console and sets up an authenticator app.`
        : `${email} was ${roles.join(", ")} before; nothing was changed.`;
      return { text, json: { email, roles, changed } };
    },
  },
  revoke: {
    usage: "EMAIL",
    description: "ends the membership of a staff member",
    async run({ id: email, actor }) {
      const changed = await changeMember(email, () => revokeRolesByOperator(email, actor));
      const text = changed
        ? `${email} is no longer staff.`
        : `${email} was no staff member; nothing was changed.`;
      return { text, json: { email, changed } };
    },
  },
  "reset-factor": {
    usage: "EMAIL",
    description: "removes the authenticator app of a staff member, who sets up a new one",
    async run({ id: email, actor }) {
      await changeMember(email, () => resetFactorByOperator(email, actor));
      return {
        text: `${email} sets up a new authenticator app at the next visit of /console.`,
        json: { email },
      };
    },
  },
};
