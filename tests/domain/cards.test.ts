import { sql } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { addCard, confirmSandboxCard, deleteCard, deleteCustomer } from "@/lib/payments/cards/commands";
import { CardView, SetupOpened } from "@/lib/payments/cards/contract";
import { findCustomer, listCards, listCardsWithTimeout } from "@/lib/payments/cards/queries";
import type { SandboxCard } from "@/lib/payments/cards/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { isShopError } from "@/lib/platform/errors";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { clearSandboxFaults, failSandbox, type SandboxFault } from "../setup/stripe-faults";

vi.setConfig({ testTimeout: 60_000 });
const provider = paymentProvider();
afterEach(clearSandboxFaults);
afterAll(closeDatabase);

const opened = async (user: SignedInUser) => SetupOpened.parse(await addCard(user.viewer, {}));
const confirmed = (user: SignedInUser, client_secret: string, card: SandboxCard) =>
  confirmSandboxCard(user.viewer, { client_secret, card });
async function keep(user: SignedInUser, card: "visa" | "mastercard" = "visa"): Promise<CardView> {
  const { client_secret, setup_id } = await opened(user);
  await confirmed(user, client_secret, card);
  return CardView.parse(await addCard(user.viewer, { setup_id }));
}
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "no refusal",
    (error: unknown) => {
      if (isShopError(error)) return error.error;
      return isProviderError(error) ? `${error.kind} ${error.code}` : String(error);
    },
  );
const last4 = async (user: SignedInUser) => (await listCards(user.viewer)).cards.map((card) => card.last4);
const customers = async (userId: string) => {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from sandbox_customers where metadata->>'user_id' = ${userId}`,
  );
  return row?.count;
};

describe("stored cards", () => {
  it("are none without asking the provider, as long as there is no customer", async () => {
    const user = await createSignedInUser();
    failSandbox("list_cards", { when: "before", as: "500" }, 9);
    expect(await listCards(user.viewer)).toEqual({ cards: [] });
    expect(await customers(user.id)).toBe(0);
  });

  it("are kept with a setup, listed the newest first, and removed once", async () => {
    const user = await createSignedInUser();
    const visa = await keep(user);
    expect(visa).toMatchObject({ brand: "visa", last4: "4242", exp_month: 12 });
    await keep(user, "mastercard");
    expect(await last4(user)).toEqual(["4444", "4242"]);
    expect(await addCard(user.viewer, { payment_method_id: visa.payment_id })).toEqual(visa);
    expect(await deleteCard(user.viewer, visa)).toEqual({ payment_id: visa.payment_id });
    expect(await refusal(deleteCard(user.viewer, visa))).toBe("payment_method_unknown");
    expect(await last4(user)).toEqual(["4444"]);
    expect(await customers(user.id)).toBe(1);
  });

  it("are removed by one of two presses at the same time", async () => {
    const user = await createSignedInUser();
    const card = await keep(user);
    const both = await Promise.all([
      refusal(deleteCard(user.viewer, card)),
      refusal(deleteCard(user.viewer, card)),
    ]);
    expect(both.sort()).toEqual(["no refusal", "payment_method_unknown"]);
    expect(await last4(user)).toEqual([]);
  });

  it("of another customer answer like missing ones, to every call", async () => {
    const [owner, other] = await Promise.all([createSignedInUser(), createSignedInUser()]);
    const card = await keep(owner);
    const { setup_id, client_secret } = await opened(owner);
    await confirmed(owner, client_secret, "mastercard");
    await keep(other);
    const fresh = await createSignedInUser();
    for (const thief of [other, fresh]) {
      for (const id of [card.payment_id, "pm_missing", "..", "pm_a/../../x", newId("pm")]) {
        expect(await refusal(deleteCard(thief.viewer, { payment_id: id }))).toBe("payment_method_unknown");
        expect(await refusal(addCard(thief.viewer, { payment_method_id: id }))).toBe(
          "payment_method_unknown",
        );
      }
      for (const id of [setup_id, "seti_missing", "../customers"])
        expect(await refusal(addCard(thief.viewer, { setup_id: id }))).toBe("payment_method_unknown");
      expect(await refusal(confirmed(thief, client_secret, "visa"))).toBe("payment_method_unknown");
    }
    expect(await last4(owner)).toEqual(["4444", "4242"]);
  });

  it("are not there before the bank has said yes, nor after a decline", async () => {
    const user = await createSignedInUser();
    const { client_secret, setup_id } = await opened(user);
    const steps: [SandboxCard, string, string | null][] = [
      ["declined", "requires_payment_method", "card_declined"],
      ["approved", "requires_payment_method", "card_declined"],
      ["authentication", "requires_action", null],
      ["refused", "requires_payment_method", "setup_intent_authentication_failure"],
      ["authentication", "requires_action", null],
    ];
    for (const [card, status, problem] of steps) {
      expect(await confirmed(user, client_secret, card)).toEqual({ status, problem });
      expect(await refusal(addCard(user.viewer, { setup_id }))).toBe("payment_method_unknown");
      expect(await last4(user)).toEqual([]);
    }
    expect(await confirmed(user, client_secret, "approved")).toEqual({ status: "succeeded", problem: null });
    expect(await confirmed(user, client_secret, "declined")).toEqual({ status: "succeeded", problem: null });
    expect(await addCard(user.viewer, { setup_id })).toMatchObject({ last4: "3155" });
    expect(await last4(user)).toEqual(["3155"]);
  });
});

describe("the provider's customer", () => {
  it("is made once, in however many tabs at once", async () => {
    const user = await createSignedInUser();
    const setups = await Promise.all(Array.from({ length: 4 }, () => opened(user)));
    expect(new Set(setups.map(({ setup_id }) => setup_id)).size).toBe(4);
    expect(await customers(user.id)).toBe(1);
  });

  it.each<SandboxFault>([
    { when: "before", as: "500" },
    { when: "after", as: "timeout" },
    { when: "after", as: "junk" },
  ])("is made once also when the answer was lost ($when $as)", async (fault) => {
    const user = await createSignedInUser();
    failSandbox("create_customer", fault, 3);
    expect(await refusal(addCard(user.viewer, {}))).toBe("provider_unavailable");
    expect(await findCustomer(user.id)).toBeNull();
    clearSandboxFaults();
    await opened(user);
    expect(await customers(user.id)).toBe(1);
  });

  it("is replaced when the provider has forgotten it", async () => {
    const user = await createSignedInUser();
    await keep(user);
    const first = (await findCustomer(user.id))!;
    await provider.deleteCustomer(first);
    expect(await last4(user)).toEqual([]);
    await keep(user, "mastercard");
    expect(await findCustomer(user.id)).not.toBe(first);
    expect(await last4(user)).toEqual(["4444"]);
  });

  it("is forgotten with its cards, after silence too, and not made again for a deleted account", async () => {
    const user = await createSignedInUser();
    const card = await keep(user);
    const customerId = (await findCustomer(user.id))!;
    await db.execute(sql`update users set deleted_at = shop_now() where id = ${user.id}`);
    failSandbox("delete_customer", { when: "after", as: "reset" }, 3);
    expect(await refusal(deleteCustomer(user.id))).toBe("provider_unavailable");
    expect(await findCustomer(user.id)).toBe(customerId);
    await deleteCustomer(user.id);
    await deleteCustomer(user.id);
    expect(await findCustomer(user.id)).toBeNull();
    expect(await refusal(provider.retrieveCard(customerId, card.payment_id))).toMatch(/^unknown_object/);
    expect(await refusal(addCard(user.viewer, {}))).toBe("session_ended");
    expect(await findCustomer(user.id)).toBeNull();
  });
});

describe("a provider in trouble", () => {
  const FAULTS: SandboxFault[] = [
    { when: "before", as: "500" },
    { when: "before", as: "not_json" },
    { when: "before", as: "not_object" },
    { when: "before", as: "junk" },
  ];
  it.each(FAULTS)("is told as such by every call ($as)", async (fault) => {
    const user = await createSignedInUser();
    const card = await keep(user);
    const { setup_id } = await opened(user);
    const calls = {
      list_cards: () => listCards(user.viewer),
      create_setup: () => addCard(user.viewer, {}),
      retrieve_setup: () => addCard(user.viewer, { setup_id }),
      retrieve_card: () => addCard(user.viewer, { payment_method_id: card.payment_id }),
      detach_card: () => deleteCard(user.viewer, card),
    } as const;
    for (const [operation, ask] of Object.entries(calls)) {
      failSandbox(operation as keyof typeof calls, fault, 3);
      expect(await refusal(ask())).toBe("provider_unavailable");
      clearSandboxFaults();
    }
    failSandbox("list_cards", fault, 3);
    expect(await listCardsWithTimeout(user.viewer)).toBeNull();
    clearSandboxFaults();
    expect(await last4(user)).toEqual(["4242"]);
  });

  it("that removed a card and did not say so: the card is gone at the second try", async () => {
    const user = await createSignedInUser();
    const card = await keep(user);
    failSandbox("detach_card", { when: "after", as: "junk" });
    expect(await refusal(deleteCard(user.viewer, card))).toBe("provider_unavailable");
    expect(await refusal(deleteCard(user.viewer, card))).toBe("payment_method_unknown");
    expect(await last4(user)).toEqual([]);
  });
});
