import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { MERCHANT_NOTICES } from "@/lib/notifications/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { NoticeSwitches, NoticeSwitchesInput } from "./contract";

/**
 * Requires a person, because a program with a token gets no email.
 * @throws ShopError permission_missing
 */
function requirePerson({ user }: MerchantViewer): string {
  if (!user) throw new ShopError("permission_missing");
  return user.userId;
}

const MEMBER = ({ merchant }: MerchantViewer, userId: string) =>
  sql`merchant_id = ${merchant.id} and user_id = ${userId} and ended_at is null`;

/** The emails about the merchant that the viewer gets. By default owners get all, members none. */
export async function getNotices(viewer: MerchantViewer): Promise<NoticeSwitches> {
  const [row] = await db.execute<{ notices: Partial<NoticeSwitches> }>(
    sql`select notices from merchant_members where ${MEMBER(viewer, requirePerson(viewer))}`,
  );
  const standard = viewer.role === "owner";
  return Object.fromEntries(
    MERCHANT_NOTICES.map((notice) => [notice, row?.notices[notice] ?? standard]),
  ) as NoticeSwitches;
}

/** Turns emails about the merchant on or off for the viewer only. */
export async function changeNotices(
  viewer: MerchantViewer,
  input: NoticeSwitchesInput,
): Promise<NoticeSwitches> {
  await db.execute(sql`
    update merchant_members set notices = notices || ${JSON.stringify(input)}::jsonb where ${MEMBER(viewer, requirePerson(viewer))}`);
  return getNotices(viewer);
}
