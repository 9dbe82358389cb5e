import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { cartLines } from "@/db/schema/cart";
import type { Viewer } from "@/lib/platform/auth/session";
import type { SessionSummary } from "./contract";

/** The session data that a public page loads after rendering; a guest has an empty cart. */
export async function getSessionSummary(viewer: Viewer): Promise<SessionSummary> {
  if (viewer.kind === "guest") return { signed_in: false, cart_count: 0 };
  const { userId, username } = viewer;
  const cartCount = await db.$count(cartLines, eq(cartLines.userId, userId));
  return { signed_in: true, user_id: userId, username, cart_count: cartCount };
}
