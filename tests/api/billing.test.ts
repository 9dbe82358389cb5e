import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as remove } from "@/app/api/v1/auth/billing/delete/route";
import { GET as list } from "@/app/api/v1/auth/billing/list/route";
import { POST as save } from "@/app/api/v1/auth/billing/save/route";
import { closeDatabase } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { COUNTRIES } from "@/lib/accounts/billing/rules";
import { call } from "./call";

let user: SignedInUser;
let other: SignedInUser;
beforeAll(async () => {
  [user, other] = await Promise.all([createSignedInUser(), createSignedInUser()]);
});
afterAll(closeDatabase);

const ADDRESS = {
  full_name: "山田 花子",
  line1: "1-2-3 Jingumae",
  city: "Shibuya",
  region: "Tokyo",
  postal_code: "150-0001",
  country: "JP",
};
const requestOptions = (user?: SignedInUser, more: Record<string, string> = {}) => ({
  headers: { ...(user && { authorization: user.bearer }), ...more },
});
const saveAddress = (user: SignedInUser | undefined, body: object, more = {}) =>
  call(save, "/auth/billing/save", { body, ...requestOptions(user, more) });
const removeAddress = (user: SignedInUser | undefined, address_id: unknown) =>
  call(remove, "/auth/billing/delete", { body: { address_id }, ...requestOptions(user) });
const listAddresses = async (user: SignedInUser) =>
  (await call(list, "/auth/billing/list", requestOptions(user))).body.data.addresses;

describe("billing addresses over the API", () => {
  it("require a session", async () => {
    for (const response of [
      await call(list, "/auth/billing/list"),
      await saveAddress(undefined, ADDRESS),
      await removeAddress(undefined, "adr_x"),
    ])
      expect([response.status, response.body.code]).toEqual([401, "401"]);
  });

  it("are saved once per Idempotency-Key, listed and removed, by their owner only", async () => {
    const key = { "idempotency-key": `save-${user.id}` };
    const [first, second] = [await saveAddress(user, ADDRESS, key), await saveAddress(user, ADDRESS, key)];
    expect(second.body.data).toEqual(first.body.data);
    const { address_id } = first.body.data;
    const saved = { address_id, ...ADDRESS, line2: null, is_default: true };
    expect(await listAddresses(user)).toEqual([saved]);
    expect(await listAddresses(other)).toEqual([]);

    const foreign = await saveAddress(other, { ...ADDRESS, address_id });
    expect([foreign.status, foreign.body.code]).toEqual([404, "40406"]);
    expect(foreign.body).toEqual((await saveAddress(other, { ...ADDRESS, address_id: "adr_missing" })).body);
    expect((await removeAddress(other, address_id)).body).toEqual(
      (await removeAddress(other, "adr_missing")).body,
    );
    expect((await removeAddress(other, address_id)).body.code).toBe("40406");
    expect(await listAddresses(user)).toEqual([saved]);

    expect((await removeAddress(user, address_id)).body.data).toEqual({ addresses: [] });
    expect((await removeAddress(user, address_id)).body.code).toBe("40406");
  });

  it("name each invalid field in the request language, and save nothing", async () => {
    const wrong = {
      full_name: " ",
      line1: "x".repeat(201),
      line2: "a\u202eb",
      city: "Lon\ndon",
      region: "\u0007",
      postal_code: "1".repeat(21),
      country: "Japan",
    };
    const { status, body } = await saveAddress(other, wrong, { "accept-language": "ja" });
    expect([status, body.code]).toEqual([400, "40000"]);
    expect(new Set(body.errors?.map(({ path }) => path))).toEqual(new Set(Object.keys(wrong)));
    expect(body.errors?.[0]?.message).toBe("この項目は必須です");
    const wrongPostalCode = await saveAddress(
      other,
      { ...ADDRESS, country: "US" },
      { "accept-language": "ja" },
    );
    expect(wrongPostalCode.body.errors).toEqual([
      { path: "postal_code", message: "選んだ国の郵便番号ではありません" },
    ]);
    const unknownCountry = await saveAddress(other, { ...ADDRESS, country: "ZZ" });
    expect(unknownCountry.body.errors).toEqual([
      { path: "country", message: "Please choose a country from the list" },
    ]);
    const { full_name: _, ...nameless } = ADDRESS;
    expect((await saveAddress(other, nameless)).body.errors?.map(({ path }) => path)).toEqual(["full_name"]);
    for (const more of [{ country: "ZZ" }, { country: "AC" }, { user_id: user.id }, { role: "staff" }])
      expect((await saveAddress(other, { ...ADDRESS, ...more })).body.success).toBe(false);
    expect(await listAddresses(other)).toEqual([]);
  });

  it("accept every listed country, also in lower case", async () => {
    expect(COUNTRIES.length).toBeGreaterThan(235);
    for (const code of ["JP", "CN", "TW", "HK", "US", "GB", "DE", "XK"]) expect(COUNTRIES).toContain(code);
    for (const code of COUNTRIES) expect(code).toMatch(/^[A-Z]{2}$/);
    const { body } = await saveAddress(other, { ...ADDRESS, country: " jp " });
    expect(body.data.addresses[0].country).toBe("JP");
  });

  it("report the maximum when a user has ten", async () => {
    const userAtLimit = await createSignedInUser();
    for (let i = 0; i < 10; i += 1) await saveAddress(userAtLimit, ADDRESS);
    const { status, body } = await saveAddress(userAtLimit, ADDRESS);
    expect([status, body.code]).toEqual([409, "40920"]);
    expect(body.message).toContain("10");
  });
});
