import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { SaveBillingInput } from "@/lib/accounts/billing/contract";
import { getBillingPage, listBillingAddresses } from "@/lib/accounts/billing/list-billing-addresses";
import { deleteBillingAddress, saveBillingAddress } from "@/lib/accounts/billing/save-billing-address";
import { MAX_BILLING_ADDRESSES } from "@/lib/accounts/rules";
import { getErrorName } from "../setup/error-name";

afterAll(closeDatabase);

const parseInput = (line1: string, fields: object = {}) =>
  SaveBillingInput.parse({ full_name: "Ada Byron", line1, city: "London", country: "gb", ...fields });
const save = async (user: SignedInUser, line1: string, fields: object = {}) =>
  (await saveBillingAddress(user.viewer, parseInput(line1, fields))).address_id;
const listLines = async (user: SignedInUser) =>
  (await listBillingAddresses(user.viewer)).addresses.map(
    ({ line1, is_default }) => `${line1}${is_default ? " *" : ""}`,
  );

describe("billing addresses", () => {
  it("are stored trimmed, the first as the default", async () => {
    const user = await createSignedInUser();
    expect(await listLines(user)).toEqual([]);
    const id = await save(user, " 1 Rd ", {
      line2: " ",
      region: "Essex",
      postal_code: "",
      is_default: false,
    });
    expect((await listBillingAddresses(user.viewer)).addresses).toEqual([
      {
        address_id: id,
        full_name: "Ada Byron",
        line1: "1 Rd",
        line2: null,
        city: "London",
        region: "Essex",
        postal_code: null,
        country: "GB",
        is_default: true,
      },
    ]);
    expect((await getBillingPage(user.viewer)).cards).toEqual([]);
  });

  it("have one default: saving moves it, deleting passes it to the newest", async () => {
    const user = await createSignedInUser();
    const [first, second, third] = [await save(user, "1"), await save(user, "2"), await save(user, "3")];
    expect(await listLines(user)).toEqual(["1 *", "3", "2"]);
    await save(user, "2b", { address_id: second, is_default: true });
    expect(await listLines(user)).toEqual(["2b *", "3", "1"]);
    await save(user, "2c", { address_id: second, is_default: false });
    expect(await listLines(user)).toEqual(["2c *", "3", "1"]);
    await deleteBillingAddress(user.viewer, { address_id: first });
    expect(await listLines(user)).toEqual(["2c *", "3"]);
    const remaining = await deleteBillingAddress(user.viewer, { address_id: second });
    expect(remaining.addresses.map(({ address_id, is_default }) => [address_id, is_default])).toEqual([
      [third, true],
    ]);
    await deleteBillingAddress(user.viewer, { address_id: third });
    expect(await listLines(user)).toEqual([]);
    await save(user, "4");
    expect(await listLines(user)).toEqual(["4 *"]);
  });

  it("of another user look missing and stay unchanged", async () => {
    const [owner, other] = await Promise.all([createSignedInUser(), createSignedInUser()]);
    const id = await save(owner, "1");
    await save(other, "9");
    for (const address_id of [id, "adr_missing"]) {
      expect(await getErrorName(save(other, "2", { address_id, is_default: true }))).toBe("address_unknown");
      expect(await getErrorName(deleteBillingAddress(other.viewer, { address_id }))).toBe("address_unknown");
    }
    expect(await listLines(owner)).toEqual(["1 *"]);
    expect(await listLines(other)).toEqual(["9 *"]);
  });

  it("are at most ten with one default, even when saved concurrently", async () => {
    const user = await createSignedInUser();
    const saves = Array.from({ length: MAX_BILLING_ADDRESSES + 3 }, (_, i) =>
      getErrorName(save(user, String(i), { is_default: i % 2 === 0 })),
    );
    const outcomes = await Promise.all(saves);
    expect(outcomes.filter((outcome) => outcome === "addresses_full")).toHaveLength(3);
    const { addresses } = await listBillingAddresses(user.viewer);
    expect(addresses).toHaveLength(MAX_BILLING_ADDRESSES);
    expect(addresses.filter(({ is_default }) => is_default)).toHaveLength(1);
    const ids = addresses.map(({ address_id }) => address_id);
    expect(await getErrorName(save(user, "changed", { address_id: ids[3] }))).toBeNull();
    const deletions = await Promise.all(
      [...ids, ...ids].map((address_id) => getErrorName(deleteBillingAddress(user.viewer, { address_id }))),
    );
    expect(deletions.filter((outcome) => outcome === "address_unknown")).toHaveLength(MAX_BILLING_ADDRESSES);
    expect(await listLines(user)).toEqual([]);
  });

  it("are not saved for a deleted account", async () => {
    const user = await createSignedInUser();
    await db.execute(sql`update users set deleted_at = shop_now() where id = ${user.id}`);
    expect(await getErrorName(save(user, "1"))).toBe("account_missing");
  });
});
