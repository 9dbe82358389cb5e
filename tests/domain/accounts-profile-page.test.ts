import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { getProfilePage } from "@/lib/accounts/profile/get-profile-page";
import { startSession } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";

afterAll(closeDatabase);

const insertIdentity = (userId: string, provider: "google" | "github", email: string) => client()`
  insert into user_identities (id, user_id, provider, subject, email)
  values (${newId("idn")}, ${userId}, ${provider}, ${`sub-${userId}`}, ${email})`;

describe("the profile page", () => {
  it("shows the viewer's own data only", async () => {
    const user = await createSignedInUser();
    const otherUser = await createSignedInUser();
    await insertIdentity(otherUser.id, "github", "other@example.com");
    await insertIdentity(user.id, "google", "own@example.com");
    await startSession({ id: user.id }, "Firefox, Windows");
    const page = await getProfilePage(user.viewer);
    expect(page.profile).toMatchObject({ user_id: user.id, user_email: user.email, phone: null });
    expect(page.identities).toMatchObject([{ provider: "google", email: "own@example.com" }]);
    expect(new Date(page.identities[0]!.since).getTime()).toBeGreaterThan(0);
    expect(page.devices).toHaveLength(2);
    expect(page.devices[0]).toMatchObject({ session_id: user.viewer.sessionId, current: true });
    expect(page.notifications).toMatchObject({ email: user.email, discounts: false, wait_list: true });
    expect(page.phone).toBeNull();
  });

  it("names the consoles that the account may open", async () => {
    expect((await getProfilePage((await createSignedInUser()).viewer)).consoles).toEqual({
      staff: false,
      merchants: [],
    });
    const merchant = await createMerchant();
    const { handle, name } = merchant;
    const { user } = (await createSeller(merchant)).member;
    expect((await getProfilePage(user!)).consoles.merchants).toEqual([{ handle, name }]);
    expect((await getProfilePage((await createStaff()).viewer)).consoles.staff).toBe(true);
  });

  it("formats a phone number internationally and nationally", async () => {
    const user = await createSignedInUser();
    const phone = async (stored: string, country: string | null) => {
      await client()`update users set phone = ${stored}, country_code = ${country} where id = ${user.id}`;
      return (await getProfilePage(user.viewer)).phone;
    };
    expect(await phone("+819012345678", "JP")).toEqual({
      international: "+81 90 1234 5678",
      national: "090-1234-5678",
      country: "JP",
    });
    expect(await phone("+14165550123", "CA")).toMatchObject({ country: "CA" });
    expect(await phone("+819012345678", null)).toMatchObject({ country: "JP" });
    expect(await phone("777", null)).toEqual({ international: "777", national: "777", country: null });
  });

  it("lists the calling codes of countries", async () => {
    const user = await createSignedInUser();
    const codes = Object.fromEntries((await getProfilePage(user.viewer)).callingCodes);
    expect(codes).toMatchObject({ JP: "81", CN: "86", US: "1", CA: "1" });
  });
});
