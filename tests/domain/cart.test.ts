import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { type CreatedProduct, createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { addToCart, autoAddToCart } from "@/lib/cart/add-to-cart";
import { getCart, quoteCart } from "@/lib/cart/get-cart";
import { MAX_CART_LINES } from "@/lib/cart/rules";
import { removeFromCart, updateCart } from "@/lib/cart/update-cart";
import { getErrorName } from "../setup/error-name";

let buyer: SignedInUser;
beforeEach(async () => {
  buyer = await createSignedInUser();
});
afterAll(closeDatabase);

const createTestProduct = (...plans: PlanInput[]) =>
  createProduct({ plans: (plans.length > 0 ? plans : [{}]).map((plan) => ({ keys: 3, ...plan })) });
const getPlanId = (created: CreatedProduct, index = 0) => created.plans[index]!.id;
const add = (created: CreatedProduct, quantity = 1, index = 0, user = buyer) =>
  addToCart(user.viewer, { product_id: created.id, vip_id: getPlanId(created, index), quantity });
const listCartLines = async (user = buyer) =>
  (await getCart(user.viewer, "en")).cart_items.map((item) => [item.vip_id, item.quantity, item.selected]);

describe("adding to the cart", () => {
  it("creates a line; adding again raises its quantity and selects it again", async () => {
    const created = await createTestProduct({ keys: 9 });
    const first = await add(created, 2);
    expect(first).toMatchObject({ quantity: 2, total: 1 });
    await updateCart(buyer.viewer, { cart_id: first.cart_id, selected: false }, "en");
    expect(await add(created, 3)).toEqual({ cart_id: first.cart_id, quantity: 5, total: 1 });
    expect(await listCartLines()).toEqual([[getPlanId(created), 5, true]]);
  });

  it("is limited to ten units of a plan, thirty lines, and the stock", async () => {
    const plentiful = await createTestProduct({ keys: 20 });
    await add(plentiful, 8);
    expect((await add(plentiful, 8)).quantity).toBe(10);
    const scarce = await createTestProduct({ keys: 2 });
    expect(await getErrorName(add(scarce, 3))).toBe("stock_short");
    await add(scarce, 2);
    expect(await getErrorName(add(scarce, 1))).toBe("stock_short");
    for (let lines = 2; lines < MAX_CART_LINES; lines++)
      await createCartLine(buyer.id, getPlanId(await createTestProduct({ keys: 0 })));
    expect(await getErrorName(add(await createTestProduct()))).toBe("cart_full");
    expect(await getErrorName(add(plentiful))).toBeNull(); // needs no new line
    expect((await getCart(buyer.viewer, "en")).total).toBe(MAX_CART_LINES);
  });

  it("from several tabs concurrently creates one line with the sum, and never more than thirty lines", async () => {
    const created = await createTestProduct({ keys: 9 });
    await Promise.all(Array.from({ length: 6 }, () => add(created)));
    expect(await listCartLines()).toEqual([[getPlanId(created), 6, true]]);
    for (let lines = 1; lines < MAX_CART_LINES - 1; lines++)
      await createCartLine(buyer.id, getPlanId(await createTestProduct({ keys: 0 })));
    const products = await Promise.all(Array.from({ length: 5 }, () => createTestProduct()));
    const outcomes = await Promise.all(products.map((product) => getErrorName(add(product))));
    expect(outcomes.sort()).toEqual(["cart_full", "cart_full", "cart_full", "cart_full", null]);
  });

  it.each([
    ["out of stock", { keys: 0 }, "sold_out"],
    ["paused", { availability: "paused" }, "sold_out"],
    ["unlisted", { listed: false }, "product_unknown"],
    ["a pre-order without keys", { availability: "pre_order", keys: 0 }, null],
  ] as [string, PlanInput, string | null][])("is rejected for a plan that is %s", async (_, plan, error) => {
    expect(await getErrorName(add(await createTestProduct(plan), 2))).toBe(error);
  });

  it("rejects a plan of another product and an unlisted product", async () => {
    const [first, second] = [await createTestProduct(), await createTestProduct()];
    const input = { product_id: first.id, vip_id: getPlanId(second), quantity: 1 };
    expect(await getErrorName(addToCart(buyer.viewer, input))).toBe("product_unknown");
    const unlisted = await createProduct({ listed: false });
    expect(await getErrorName(add(unlisted))).toBe("product_unknown");
  });

  it("counts bought and held keys against the purchase limit", async () => {
    const created = await createTestProduct({ keys: 9, purchaseLimit: 2 });
    expect(await getErrorName(add(created, 3))).toBe("purchase_limit");
    const { id } = await createOrder(buyer, getPlanId(created));
    await db.execute(
      sql`insert into purchase_claims values (${buyer.id}, ${getPlanId(created)}, 1, ${id}, ${buyer.id})`,
    );
    expect(await getErrorName(add(created, 2))).toBe("purchase_limit");
    expect(await getErrorName(add(created, 1))).toBeNull();
    expect((await getCart(buyer.viewer, "en")).cart_items[0]).toMatchObject({
      purchase_limit: 2,
      max_quantity: 1,
    });
  });

  it("rejects a free pass that was claimed already", async () => {
    const created = await createTestProduct({ priceCents: 0, keys: 9, purchaseLimit: 1 });
    const { id } = await createOrder(buyer, getPlanId(created));
    await db.execute(
      sql`insert into purchase_claims values (${buyer.id}, ${getPlanId(created)}, 1, ${id}, ${buyer.id})`,
    );
    expect(await getErrorName(add(created, 1))).toBe("purchase_limit");
  });

  it("after a login adds the named plan, else the cheapest sellable one, and only once", async () => {
    const created = await createTestProduct(
      { type: "day", priceCents: 100, keys: 0 },
      { type: "week", priceCents: 300 },
      { type: "month", priceCents: 200 },
    );
    const autoAdd = (vip_id?: number) => autoAddToCart(buyer.viewer, { product_id: created.id, vip_id });
    const added = await autoAdd();
    expect(await autoAdd()).toEqual(added);
    expect(await listCartLines()).toEqual([[getPlanId(created, 2), 1, true]]);
    await autoAdd(getPlanId(created, 1));
    await autoAdd(getPlanId(created, 1));
    expect(await listCartLines()).toEqual([
      [getPlanId(created, 2), 1, true],
      [getPlanId(created, 1), 1, true],
    ]);
    expect(await getErrorName(autoAdd(getPlanId(created, 0)))).toBe("sold_out");
    expect(await getErrorName(autoAddToCart(buyer.viewer, { product_id: 999_999 }))).toBe("product_unknown");
  });
});

describe("updating a line", () => {
  it("changes quantity, selection and plan; a plan with another line is merged into it", async () => {
    const created = await createTestProduct(
      { type: "week", keys: 9 },
      { type: "month", priceCents: 1999, keys: 9 },
    );
    const [week, month] = [await add(created, 1, 0), await add(created, 2, 1)];
    const change = (input: object) => updateCart(buyer.viewer, { cart_id: week.cart_id, ...input }, "en");
    expect((await change({ quantity: 4 })).selected_total).toBe(79.98);
    expect((await change({ selected: false })).selected_total).toBe(39.98);
    await change({ vip_id: getPlanId(created, 1), selected: true });
    expect(await listCartLines()).toEqual([[getPlanId(created, 1), 6, true]]); // quantities 4 and 2 are added
    expect(await getErrorName(removeFromCart(buyer.viewer, { cart_id: month.cart_id }))).toBeNull();
    expect(await listCartLines()).toHaveLength(1);
  });

  it("rejects more than the stock, a plan of another product and another user's line", async () => {
    const [created, other] = [await createTestProduct(), await createTestProduct()];
    const { cart_id } = await add(created, 2);
    const change = (input: object, user = buyer) =>
      getErrorName(updateCart(user.viewer, { cart_id, ...input }, "en"));
    expect(await change({ quantity: 4 })).toBe("stock_short");
    expect(await change({ vip_id: getPlanId(other) })).toBe("product_unknown");
    const otherUser = await createSignedInUser();
    expect(await change({ quantity: 1 }, otherUser)).toBe("cart_line_unknown");
    expect(await getErrorName(updateCart(otherUser.viewer, { cart_id: "cart_missing" }, "en"))).toBe(
      "cart_line_unknown",
    );
    expect(await removeFromCart(otherUser.viewer, { cart_id })).toEqual({ total: 0 });
    expect(await listCartLines()).toEqual([[getPlanId(created), 2, true]]);
  });

  it("allows a sold-out line to be reduced, deselected and removed, but not raised", async () => {
    const created = await createTestProduct();
    const { cart_id } = await add(created, 2);
    await db.execute(sql`update keys set state = 'revoked' where plan_id = ${getPlanId(created)}`);
    const change = (input: object) => getErrorName(updateCart(buyer.viewer, { cart_id, ...input }, "en"));
    expect(await change({ quantity: 3 })).toBe("sold_out");
    expect(await change({ quantity: 1 })).toBeNull();
    expect(await change({ selected: false })).toBeNull();
    expect((await getCart(buyer.viewer, "en")).cart_items[0]).toMatchObject({
      stock: 0,
      stock_state: "sold_out",
    });
    expect(await removeFromCart(buyer.viewer, { cart_id })).toEqual({ total: 0 });
  });
});

describe("a quote", () => {
  it("prices the selected or the named lines at current prices and holds no keys", async () => {
    const [regular, deal] = [
      await createTestProduct({ keys: 9 }),
      await createTestProduct({ keys: 9, deal: { priceCents: 333, quantity: 2 } }),
    ];
    const [regularLine, second] = [await add(regular, 3), await add(deal, 2)];
    const quote = async (cart_ids?: string[]) =>
      (await quoteCart(buyer.viewer, { cart_ids }, "en")).final_amount;
    expect(await quote()).toBe(36.66);
    expect(await quote([second.cart_id])).toBe(6.66);
    await add(deal, 1); // exceeds the deal's quantity
    expect(await quote([second.cart_id])).toBe(30);
    await updateCart(buyer.viewer, { cart_id: second.cart_id, selected: false }, "en");
    expect(await quote()).toBe(30);
    await updateCart(buyer.viewer, { cart_id: regularLine.cart_id, selected: false }, "en");
    expect(await getErrorName(quoteCart(buyer.viewer, {}, "en"))).toBe("nothing_selected");
    expect(
      await getErrorName(
        quoteCart((await createSignedInUser()).viewer, { cart_ids: [regularLine.cart_id] }, "en"),
      ),
    ).toBe("cart_line_unknown");
    const [unavailable] = await db.execute(
      sql`select count(*)::int as n from keys where state <> 'available' and plan_id = ${getPlanId(regular)}`,
    );
    expect(unavailable).toEqual({ n: 0 });
  });

  it("gives the refund reason of each line", async () => {
    await add(await createTestProduct({ type: "month" }));
    await add(await createTestProduct({ type: "week" }));
    await add(await createTestProduct({ priceCents: 0 }));
    await add(await createTestProduct({ type: "year", deal: {} }));
    const { cart_items } = await getCart(buyer.viewer, "en");
    expect(cart_items.map((item) => item.refund.reason)).toEqual([
      "refundable",
      "short_pass",
      "free",
      "limited_time",
    ]);
  });
});
