import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { POST as refresh } from "@/app/api/v1/auth/refresh/route";
import { POST as addToCart } from "@/app/api/v1/cart/add/route";
import { GET as cart } from "@/app/api/v1/cart/list/route";
import { createProduct } from "@/db/factories/catalog";
import { closeShop, findShopClosure, isShopClosed, openShop } from "@/lib/platform/shop-closure";
import * as sale from "../setup/sale";
import { runStaffCommand } from "../setup/staff";
import { authHeaders, call } from "./call";

let buyer: sale.Buyer;
let body: { product_id: number; vip_id: number };
beforeEach(async () => {
  buyer = await sale.createBuyer();
  const { id, plans } = await createProduct({ plans: [{ keys: 2 }] });
  body = { product_id: id, vip_id: plans[0]!.id };
});
afterEach(() => openShop("staff:test"));
afterAll(sale.closeSale);

const add = (language = "en") =>
  call(addToCart, "/cart/add", { body, headers: authHeaders(buyer, language) });

it("a closed shop refuses writes in the reader's language, and allows reads and sign-in", async () => {
  await closeShop("a test", "staff:test");
  const answers = await Promise.all(["en", "zh", "ja"].map(add));
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    Array.from({ length: 3 }, () => [503, "50303"]),
  );
  expect(new Set(answers.map(({ body }) => body.message)).size).toBe(3);
  expect((await call(cart, "/cart/list", { headers: authHeaders(buyer) })).body.code).toBe("200");
  const exchanged = await call(refresh, "/auth/refresh", { body: { refresh_token: buyer.refreshToken } });
  expect(exchanged.body.code).toBe("200");
});

it("the shop is closed and opened by staff, with a reason shown in its status", async () => {
  expect((await runStaffCommand("shop", "close", "--reason", "moving house")).code).toBe(0);
  expect(await isShopClosed()).toBe(true);
  await closeShop("another reason", "staff:other");
  expect(await findShopClosure()).toMatchObject({ reason: "moving house" });
  expect((await runStaffCommand("shop", "status")).output).toContain("moving house");
  expect((await add()).body.code).toBe("50303");
  expect((await runStaffCommand("shop", "open")).code).toBe(0);
  expect((await add()).body.code).toBe("200");
  expect((await runStaffCommand("shop", "open")).output).toContain("nothing was changed");
});
