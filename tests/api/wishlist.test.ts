import { afterAll, expect, it } from "vitest";
import { POST as add } from "@/app/api/v1/wishlist/add/route";
import { GET as list } from "@/app/api/v1/wishlist/list/route";
import { POST as merge } from "@/app/api/v1/wishlist/merge/route";
import { POST as remove } from "@/app/api/v1/wishlist/remove/route";
import { closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { WISHES_MAX } from "@/lib/notifications/rules";
import { addWish } from "@/lib/notifications/wishlist/add-wish";
import { call } from "./call";

afterAll(closeDatabase);

it("a wishlist is filled, merged, read and emptied over the API; guests get a list and cannot write", async () => {
  const headers = { authorization: (await createSignedInUser()).bearer };
  const [one, two] = [await createProduct(), await createProduct()];
  const added = await call(add, "/wishlist/add", { body: { product_id: one.id }, headers });
  expect([added.status, added.body.data]).toEqual([200, { product_ids: [one.id], total: 1 }]);
  const merged = await call(merge, "/wishlist/merge", { body: { product_ids: [two.id, one.id] }, headers });
  expect(merged.body.data).toEqual({ product_ids: [two.id, one.id], total: 2 });
  const own = await call(list, "/wishlist/list", { headers });
  expect(own.body.data.items.map(({ slug }: { slug: string }) => slug)).toEqual([two.slug, one.slug]);
  const removed = await call(remove, "/wishlist/remove", { body: { product_id: two.id }, headers });
  expect(removed.body.data).toEqual({ product_ids: [one.id], total: 1 });

  const guest = await call(list, "/wishlist/list", { query: `product_ids=${two.id},${one.id}` });
  expect(guest.body.data.items.map(({ slug }: { slug: string }) => slug)).toEqual([two.slug, one.slug]);
  expect((await call(list, "/wishlist/list", {})).body.data).toEqual({ items: [], total: 0 });
  expect((await call(list, "/wishlist/list", { query: "product_ids=1;drop" })).status).toBe(400);
  for (const [write, path] of [
    [add, "/wishlist/add"],
    [remove, "/wishlist/remove"],
  ] as const)
    expect((await call(write, path, { body: { product_id: one.id } })).status).toBe(401);
  const unknown = await call(add, "/wishlist/add", { body: { product_id: 2_000_000_000 }, headers });
  expect([unknown.status, unknown.body.code]).toEqual([404, "40401"]);
  const long = Array.from({ length: WISHES_MAX + 1 }, (_, i) => i + 1);
  expect((await call(merge, "/wishlist/merge", { body: { product_ids: long }, headers })).status).toBe(400);
});

it("a full wishlist accepts no further product", async () => {
  const user = await createSignedInUser();
  const { id } = await createProduct();
  for (let n = 0; n < WISHES_MAX; n++) await addWish(user.viewer, { product_id: (await createProduct()).id });
  const options = { body: { product_id: id }, headers: { authorization: user.bearer } };
  const { status, body } = await call(add, "/wishlist/add", options);
  expect([status, body.code]).toEqual([409, "40933"]);
});
