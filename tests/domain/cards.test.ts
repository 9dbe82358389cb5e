import { sql } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { addCard } from "@/lib/payments/cards/add-card";
import { confirmSandboxCard } from "@/lib/payments/cards/confirm-sandbox-card";
import { CardView, SetupOpened } from "@/lib/payments/cards/contract";
import { deleteCard } from "@/lib/payments/cards/delete-card";
import { deleteCustomer, findCustomer } from "@/lib/payments/cards/ensure-customer";
import { listCards, listCardsWithTimeout } from "@/lib/payments/cards/list-cards";
import type { SandboxCard } from "@/lib/payments/cards/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { getErrorName } from "../setup/error-name";
import { clearSandboxFaults, failSandbox, type SandboxFault } from "../setup/stripe-faults";

const provider = paymentProvider();
afterEach(clearSandboxFaults);
afterAll(closeDatabase);

const openSetup = async (user: SignedInUser) => SetupOpened.parse(await addCard(user.viewer, {}));
const confirmSetup = (user: SignedInUser, client_secret: string, card: SandboxCard) =>
  confirmSandboxCard(user.viewer, { client_secret, card });
async function storeCard(user: SignedInUser, card: "visa" | "mastercard" = "visa"): Promise<CardView> {
  const { client_secret, setup_id } = await openSetup(user);
  await confirmSetup(user, client_secret, card);
  return CardView.parse(await addCard(user.viewer, { setup_id }));
}

const listLast4 = async (user: SignedInUser) =>
  (await listCards(user.viewer)).cards.map((card) => card.last4);
const countCustomers = async (userId: string) => {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from sandbox_customers where metadata->>'user_id' = ${userId}`,
  );
  return row?.count;
};

describe("stored cards", () => {
  it("are empty without a request to the provider when there is no customer", async () => {
    const user = await createSignedInUser();
    failSandbox("list_cards", { when: "before", as: "500" }, 9);
    expect(await listCards(user.viewer)).toEqual({ cards: [] });
    expect(await countCustomers(user.id)).toBe(0);
  });

  it("are stored by a setup, listed newest first, and removed once", async () => {
    const user = await createSignedInUser();
    const visa = await storeCard(user);
    expect(visa).toMatchObject({ brand: "visa", last4: "4242", exp_month: 12 });
    await storeCard(user, "mastercard");
    expect(await listLast4(user)).toEqual(["4444", "4242"]);
    expect(await addCard(user.viewer, { payment_method_id: visa.payment_id })).toEqual(visa);
    expect(await deleteCard(user.viewer, visa)).toEqual({ payment_id: visa.payment_id });
    expect(await getErrorName(deleteCard(user.viewer, visa))).toBe("payment_method_unknown");
    expect(await listLast4(user)).toEqual(["4444"]);
    expect(await countCustomers(user.id)).toBe(1);
  });

  it("are removed by one of two concurrent requests", async () => {
    const user = await createSignedInUser();
    const card = await storeCard(user);
    const outcomes = await Promise.all([
      getErrorName(deleteCard(user.viewer, card)),
      getErrorName(deleteCard(user.viewer, card)),
    ]);
    expect(outcomes.sort()).toEqual([null, "payment_method_unknown"].sort());
    expect(await listLast4(user)).toEqual([]);
  });

  it("of another customer look missing to every call", async () => {
    const [owner, other] = await Promise.all([createSignedInUser(), createSignedInUser()]);
    const card = await storeCard(owner);
    const { setup_id, client_secret } = await openSetup(owner);
    await confirmSetup(owner, client_secret, "mastercard");
    await storeCard(other);
    const userWithoutCustomer = await createSignedInUser();
    for (const otherUser of [other, userWithoutCustomer]) {
      for (const id of [card.payment_id, "pm_missing", "..", "pm_a/../../x", newId("pm")]) {
        expect(await getErrorName(deleteCard(otherUser.viewer, { payment_id: id }))).toBe(
          "payment_method_unknown",
        );
        expect(await getErrorName(addCard(otherUser.viewer, { payment_method_id: id }))).toBe(
          "payment_method_unknown",
        );
      }
      for (const id of [setup_id, "seti_missing", "../customers"])
        expect(await getErrorName(addCard(otherUser.viewer, { setup_id: id }))).toBe(
          "payment_method_unknown",
        );
      expect(await getErrorName(confirmSetup(otherUser, client_secret, "visa"))).toBe(
        "payment_method_unknown",
      );
    }
    expect(await listLast4(owner)).toEqual(["4444", "4242"]);
  });

  it("are not stored before the bank's authentication or after a decline", async () => {
    const user = await createSignedInUser();
    const { client_secret, setup_id } = await openSetup(user);
    const attempts: [SandboxCard, string, string | null][] = [
      ["declined", "requires_payment_method", "card_declined"],
      ["approved", "requires_payment_method", "card_declined"],
      ["authentication", "requires_action", null],
      ["refused", "requires_payment_method", "setup_intent_authentication_failure"],
      ["authentication", "requires_action", null],
    ];
    for (const [card, status, error] of attempts) {
      expect(await confirmSetup(user, client_secret, card)).toEqual({ status, problem: error });
      expect(await getErrorName(addCard(user.viewer, { setup_id }))).toBe("payment_method_unknown");
      expect(await listLast4(user)).toEqual([]);
    }
    expect(await confirmSetup(user, client_secret, "approved")).toEqual({
      status: "succeeded",
      problem: null,
    });
    expect(await confirmSetup(user, client_secret, "declined")).toEqual({
      status: "succeeded",
      problem: null,
    });
    expect(await addCard(user.viewer, { setup_id })).toMatchObject({ last4: "3155" });
    expect(await listLast4(user)).toEqual(["3155"]);
  });
});

describe("the provider's customer", () => {
  it("is created once for setups in several tabs at once", async () => {
    const user = await createSignedInUser();
    const setups = await Promise.all(Array.from({ length: 4 }, () => openSetup(user)));
    expect(new Set(setups.map(({ setup_id }) => setup_id)).size).toBe(4);
    expect(await countCustomers(user.id)).toBe(1);
  });

  it.each<SandboxFault>([
    { when: "before", as: "500" },
    { when: "after", as: "timeout" },
    { when: "after", as: "junk" },
  ])("is created once even when the response is lost ($when $as)", async (fault) => {
    const user = await createSignedInUser();
    failSandbox("create_customer", fault, 3);
    expect(await getErrorName(addCard(user.viewer, {}))).toBe("provider_unavailable");
    expect(await findCustomer(user.id)).toBeNull();
    clearSandboxFaults();
    await openSetup(user);
    expect(await countCustomers(user.id)).toBe(1);
  });

  it("is replaced when the provider has deleted it", async () => {
    const user = await createSignedInUser();
    await storeCard(user);
    const first = (await findCustomer(user.id))!;
    await provider.deleteCustomer(first);
    expect(await listLast4(user)).toEqual([]);
    await storeCard(user, "mastercard");
    expect(await findCustomer(user.id)).not.toBe(first);
    expect(await listLast4(user)).toEqual(["4444"]);
  });

  it("is deleted with its cards, also after a lost response, and not created again for a deleted account", async () => {
    const user = await createSignedInUser();
    const card = await storeCard(user);
    const customerId = (await findCustomer(user.id))!;
    await db.execute(sql`update users set deleted_at = shop_now() where id = ${user.id}`);
    failSandbox("delete_customer", { when: "after", as: "reset" }, 3);
    expect(await getErrorName(deleteCustomer(user.id))).toBe("provider_unavailable");
    expect(await findCustomer(user.id)).toBe(customerId);
    await deleteCustomer(user.id);
    await deleteCustomer(user.id);
    expect(await findCustomer(user.id)).toBeNull();
    await expect(provider.retrieveCard(customerId, card.payment_id)).rejects.toSatisfy(
      (error) => isProviderError(error) && error.kind === "unknown_object",
    );
    expect(await getErrorName(addCard(user.viewer, {}))).toBe("session_ended");
    expect(await findCustomer(user.id)).toBeNull();
  });
});

describe("a failing provider", () => {
  const FAULTS: SandboxFault[] = [
    { when: "before", as: "500" },
    { when: "before", as: "not_json" },
    { when: "before", as: "not_object" },
    { when: "before", as: "junk" },
  ];
  it.each(FAULTS)("is reported as unavailable by every call ($as)", async (fault) => {
    const user = await createSignedInUser();
    const card = await storeCard(user);
    const { setup_id } = await openSetup(user);
    const calls = {
      list_cards: () => listCards(user.viewer),
      create_setup: () => addCard(user.viewer, {}),
      retrieve_setup: () => addCard(user.viewer, { setup_id }),
      retrieve_card: () => addCard(user.viewer, { payment_method_id: card.payment_id }),
      detach_card: () => deleteCard(user.viewer, card),
    } as const;
    for (const [operation, request] of Object.entries(calls)) {
      failSandbox(operation as keyof typeof calls, fault, 3);
      expect(await getErrorName(request())).toBe("provider_unavailable");
      clearSandboxFaults();
    }
    failSandbox("list_cards", fault, 3);
    expect(await listCardsWithTimeout(user.viewer)).toBeNull();
    clearSandboxFaults();
    expect(await listLast4(user)).toEqual(["4242"]);
  });

  it("may lose the response of a removal, and a second removal finds the card gone", async () => {
    const user = await createSignedInUser();
    const card = await storeCard(user);
    failSandbox("detach_card", { when: "after", as: "junk" });
    expect(await getErrorName(deleteCard(user.viewer, card))).toBe("provider_unavailable");
    expect(await getErrorName(deleteCard(user.viewer, card))).toBe("payment_method_unknown");
    expect(await listLast4(user)).toEqual([]);
  });
});
