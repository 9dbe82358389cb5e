import { afterAll, beforeAll, expect, it } from "vitest";
import { client } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { resolveViewer, rotateSession, startSession } from "@/lib/platform/auth/session";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();
/** Seconds since 1970 exceed an `int` of the database six minutes before. */
beforeAll(() => client()`update shop_clock set shift = '2038-01-19 03:20:00Z'::timestamptz - now()`);
afterAll(() => client()`update shop_clock set shift = '0'`);

it("a user signs in, stays signed in and exchanges the refresh token after 2038-01-19 03:14:07", async () => {
  const user = await createUser();
  const session = await startSession({ id: user.id }, "Firefox");
  const rotated = await rotateSession(session.refreshToken);
  const repeated = await rotateSession(session.refreshToken);
  expect(repeated.refreshToken).toBe(rotated.refreshToken);
  const viewer = await resolveViewer({ authorization: `Bearer ${rotated.token}` });
  expect(viewer).toMatchObject({ kind: "user", userId: user.id });
});

it("an order is paid and delivered after 2038-01-19 03:14:07", async () => {
  const plan = await createSinglePlan({ keys: 2 });
  const id = await sale.sell(await sale.createBuyer(), plan.id, 1);
  expect(await sale.listOrderEvents(id)).toEqual(["created", "payment_verified", "assigned", "delivered"]);
});
