import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { type CreatedProduct, createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { addToCart, autoAddToCart, removeFromCart, updateCart } from "@/lib/cart/commands";
import { getCart, quoteCart } from "@/lib/cart/queries";
import { MAX_CART_LINES } from "@/lib/cart/rules";
import { refusal } from "../setup/refusal";

vi.setConfig({ testTimeout: 120_000 });
let buyer: SignedInUser;
beforeEach(async () => {
  buyer = await createSignedInUser();
});
afterAll(closeDatabase);

const product = (...plans: PlanInput[]) =>
  createProduct({ plans: (plans.length > 0 ? plans : [{}]).map((plan) => ({ keys: 3, ...plan })) });
const planOf = (made: CreatedProduct, at = 0) => made.plans[at]!.id;
const add = (made: CreatedProduct, quantity = 1, at = 0, who = buyer) =>
  addToCart(who.viewer, { product_id: made.id, vip_id: planOf(made, at), quantity });
const cart = async (who = buyer) =>
  (await getCart(who.viewer, "en")).cart_items.map((item) => [item.vip_id, item.quantity, item.selected]);

describe("adding", () => {
  it("makes a line, and a second time adds to it and chooses it again", async () => {
    const made = await product({ keys: 9 });
    const first = await add(made, 2);
    expect(first).toMatchObject({ quantity: 2, total: 1 });
    await updateCart(buyer.viewer, { cart_id: first.cart_id, selected: false }, "en");
    expect(await add(made, 3)).toEqual({ cart_id: first.cart_id, quantity: 5, total: 1 });
    expect(await cart()).toEqual([[planOf(made), 5, true]]);
  });

  it("stops at ten of one plan, at thirty lines, and at what stock has", async () => {
    const many = await product({ keys: 20 });
    await add(many, 8);
    expect((await add(many, 8)).quantity).toBe(10);
    const few = await product({ keys: 2 });
    expect(await refusal(add(few, 3))).toBe("stock_short");
    await add(few, 2);
    expect(await refusal(add(few, 1))).toBe("stock_short");
    for (let lines = 2; lines < MAX_CART_LINES; lines++)
      await createCartLine(buyer.id, planOf(await product({ keys: 0 })));
    expect(await refusal(add(await product()))).toBe("cart_full");
    expect(await refusal(add(many))).toBeNull(); // a plan that is there needs no new line
    expect((await getCart(buyer.viewer, "en")).total).toBe(MAX_CART_LINES);
  });

  it("from many tabs at once makes one line with all of them, and never more than thirty", async () => {
    const made = await product({ keys: 9 });
    await Promise.all(Array.from({ length: 6 }, () => add(made)));
    expect(await cart()).toEqual([[planOf(made), 6, true]]);
    for (let lines = 1; lines < MAX_CART_LINES - 1; lines++)
      await createCartLine(buyer.id, planOf(await product({ keys: 0 })));
    const more = await Promise.all(Array.from({ length: 5 }, () => product()));
    const answers = await Promise.all(more.map((one) => refusal(add(one))));
    expect(answers.sort()).toEqual(["cart_full", "cart_full", "cart_full", "cart_full", null]);
  });

  it.each([
    ["no key", { keys: 0 }, "sold_out"],
    ["paused", { availability: "paused" }, "sold_out"],
    ["taken off the list", { listed: false }, "product_unknown"],
    ["a pre-order without keys", { availability: "pre_order", keys: 0 }, null],
  ] as [string, PlanInput, string | null][])("%s", async (_, plan, answer) => {
    expect(await refusal(add(await product(plan), 2))).toBe(answer);
  });

  it("knows no plan of another product, and no product off the list", async () => {
    const [one, two] = [await product(), await product()];
    const mixed = { product_id: one.id, vip_id: planOf(two), quantity: 1 };
    expect(await refusal(addToCart(buyer.viewer, mixed))).toBe("product_unknown");
    const hidden = await createProduct({ listed: false });
    expect(await refusal(add(hidden))).toBe("product_unknown");
  });

  it("counts what was bought and is held against the purchase limit", async () => {
    const made = await product({ keys: 9, purchaseLimit: 2 });
    expect(await refusal(add(made, 3))).toBe("purchase_limit");
    const { id } = await createOrder(buyer, planOf(made));
    await db.execute(sql`insert into purchase_claims values (${buyer.id}, ${planOf(made)}, 1, ${id})`);
    expect(await refusal(add(made, 2))).toBe("purchase_limit");
    expect(await refusal(add(made, 1))).toBeNull();
    expect((await getCart(buyer.viewer, "en")).cart_items[0]).toMatchObject({
      purchase_limit: 2,
      max_quantity: 1,
    });
  });

  it("says that a gift is claimed already", async () => {
    const made = await product({ priceCents: 0, keys: 9, purchaseLimit: 1 });
    const { id } = await createOrder(buyer, planOf(made));
    await db.execute(sql`insert into purchase_claims values (${buyer.id}, ${planOf(made)}, 1, ${id})`);
    expect(await refusal(add(made, 1))).toBe("already_claimed");
  });

  it("after a login takes the named plan, else the cheapest that can be had, and adds nothing twice", async () => {
    const made = await product(
      { type: "day", priceCents: 100, keys: 0 },
      { type: "week", priceCents: 300 },
      { type: "month", priceCents: 200 },
    );
    const auto = (vip_id?: number) => autoAddToCart(buyer.viewer, { product_id: made.id, vip_id });
    const added = await auto();
    expect(await auto()).toEqual(added);
    expect(await cart()).toEqual([[planOf(made, 2), 1, true]]);
    await auto(planOf(made, 1));
    await auto(planOf(made, 1));
    expect(await cart()).toEqual([
      [planOf(made, 2), 1, true],
      [planOf(made, 1), 1, true],
    ]);
    expect(await refusal(auto(planOf(made, 0)))).toBe("sold_out");
    expect(await refusal(autoAddToCart(buyer.viewer, { product_id: 999_999 }))).toBe("product_unknown");
  });
});

describe("changing a line", () => {
  it("changes quantity, choice and plan; a plan that has a line already becomes one line", async () => {
    const made = await product({ type: "week", keys: 9 }, { type: "month", priceCents: 1999, keys: 9 });
    const [week, month] = [await add(made, 1, 0), await add(made, 2, 1)];
    const change = (input: object) => updateCart(buyer.viewer, { cart_id: week.cart_id, ...input }, "en");
    expect((await change({ quantity: 4 })).selected_total).toBe(79.98);
    expect((await change({ selected: false })).selected_total).toBe(39.98);
    await change({ vip_id: planOf(made, 1), selected: true });
    expect(await cart()).toEqual([[planOf(made, 1), 6, true]]); // four and two: nothing is lost
    expect(await refusal(removeFromCart(buyer.viewer, { cart_id: month.cart_id }))).toBeNull();
    expect(await cart()).toHaveLength(1);
  });

  it("refuses more than stock, another product's plan and a line that is not one's own", async () => {
    const [made, other] = [await product(), await product()];
    const { cart_id } = await add(made, 2);
    const change = (input: object, who = buyer) =>
      refusal(updateCart(who.viewer, { cart_id, ...input }, "en"));
    expect(await change({ quantity: 4 })).toBe("stock_short");
    expect(await change({ vip_id: planOf(other) })).toBe("product_unknown");
    const stranger = await createSignedInUser();
    expect(await change({ quantity: 1 }, stranger)).toBe("cart_line_unknown");
    expect(await refusal(updateCart(stranger.viewer, { cart_id: "cart_missing" }, "en"))).toBe(
      "cart_line_unknown",
    );
    expect(await removeFromCart(stranger.viewer, { cart_id })).toEqual({ total: 0 });
    expect(await cart()).toEqual([[planOf(made), 2, true]]);
  });

  it("lets a line of what is sold out meanwhile be reduced, left out and removed, but not raised", async () => {
    const made = await product();
    const { cart_id } = await add(made, 2);
    await db.execute(sql`update keys set state = 'revoked' where plan_id = ${planOf(made)}`);
    const change = (input: object) => refusal(updateCart(buyer.viewer, { cart_id, ...input }, "en"));
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
  it("is of the chosen or the named lines, at today's prices, and holds nothing", async () => {
    const [plain, deal] = [
      await product({ keys: 9 }),
      await product({ keys: 9, deal: { priceCents: 333, quantity: 2 } }),
    ];
    const [one, two] = [await add(plain, 3), await add(deal, 2)];
    const quote = async (cart_ids?: string[]) =>
      (await quoteCart(buyer.viewer, { cart_ids }, "en")).final_amount;
    expect(await quote()).toBe(36.66);
    expect(await quote([two.cart_id])).toBe(6.66);
    await add(deal, 1); // the deal cannot serve three
    expect(await quote([two.cart_id])).toBe(30);
    await updateCart(buyer.viewer, { cart_id: two.cart_id, selected: false }, "en");
    expect(await quote()).toBe(30);
    await updateCart(buyer.viewer, { cart_id: one.cart_id, selected: false }, "en");
    expect(await refusal(quoteCart(buyer.viewer, {}, "en"))).toBe("nothing_selected");
    expect(
      await refusal(quoteCart((await createSignedInUser()).viewer, { cart_ids: [one.cart_id] }, "en")),
    ).toBe("cart_line_unknown");
    const [held] = await db.execute(
      sql`select count(*)::int as n from keys where state <> 'available' and plan_id = ${planOf(plain)}`,
    );
    expect(held).toEqual({ n: 0 });
  });

  it("says what comes back, in the words of the one refund rule", async () => {
    await add(await product({ type: "month" }));
    await add(await product({ type: "week" }));
    await add(await product({ priceCents: 0 }));
    await add(await product({ type: "year", deal: {} }));
    const { cart_items } = await getCart(buyer.viewer, "en");
    expect(cart_items.map((item) => item.refund.reason)).toEqual([
      "refundable",
      "short_pass",
      "free",
      "limited_time",
    ]);
  });
});
