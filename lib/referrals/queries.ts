import { client } from "@/db/client";
import { maskedName } from "@/lib/masked-name";
import type { Invitation } from "./contract";

/** Who invites by this code, and how many people have a proved account here: a true number, or none is told. */
export async function getInvitation(code: string): Promise<Invitation> {
  const [row] = await client()<{ inviter: string | null; members: number }[]>`
    select (select username from users where invite_code = ${code.slice(0, 64).replaceAll("\0", "")}) as inviter,
      (select count(*)::int from users where email_verified_at is not null) as members`;
  const { inviter, members } = row!;
  return { code, inviter: inviter && maskedName(inviter), members };
}
