import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { MERCHANT_NOTICES } from "@/lib/notifications/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { NoticeSwitches, NoticeSwitchesInput } from "./contract";

/** A token belongs to a program, which gets no email. @throws ShopError permission_missing */
function personOf({ user }: MerchantViewer): string {
  if (!user) throw new ShopError("permission_missing");
  return user.userId;
}

const MEMBER = ({ merchant }: MerchantViewer, userId: string) =>
  sql`merchant_id = ${merchant.id} and user_id = ${userId} and ended_at is null`;

/** Which emails about the merchant the viewer gets: owners all, members none, unless they chose otherwise. */
export async function getNotices(viewer: MerchantViewer): Promise<NoticeSwitches> {
  const [row] = await db.execute<{ notices: Partial<NoticeSwitches> }>(
    sql`select notices from merchant_members where ${MEMBER(viewer, personOf(viewer))}`,
  );
  const standard = viewer.role === "owner";
  return Object.fromEntries(
    MERCHANT_NOTICES.map((notice) => [notice, row?.notices[notice] ?? standard]),
  ) as NoticeSwitches;
}

/** Switches emails about the merchant for the viewer alone. */
export async function changeNotices(
  viewer: MerchantViewer,
  input: NoticeSwitchesInput,
): Promise<NoticeSwitches> {
  await db.execute(sql`
    update merchant_members set notices = notices || ${JSON.stringify(input)}::jsonb where ${MEMBER(viewer, personOf(viewer))}`);
  return getNotices(viewer);
}
