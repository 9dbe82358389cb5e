import { randomBytes } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";
import type { Locale } from "@/lib/platform/i18n/locales";
import { verificationCode } from "./mails";

export type TestUser = { email: string; password: string; username: string };

/** Data of a new account, unique to the journey. */
export function newUser(): TestUser {
  const tag = randomBytes(6).toString("hex");
  return { email: `buyer-${tag}@example.com`, password: `correct-${tag}`, username: `Buyer ${tag}` };
}

/** Calls the API with the cookies of `request`; returns `data` and expects success. */
export async function callApi<T>(request: APIRequestContext, path: string, body?: object): Promise<T> {
  const url = `/api/v1${path}`;
  const response = body === undefined ? await request.get(url) : await request.post(url, { data: body });
  const answer = (await response.json()) as { success: boolean; message: string; data: T };
  expect(answer.success, `${path}: ${answer.message}`).toBe(true);
  return answer.data;
}

/**
 * Registers an account over the API and signs `request` in. With `verified` the address is verified by a mailed code, as
 * free passes and other delivery addresses require.
 */
export async function signUp(
  request: APIRequestContext,
  { locale, verified = false }: { locale: Locale; verified?: boolean },
): Promise<TestUser> {
  const user = newUser();
  const fields = { user_email: user.email, user_password: user.password, username: user.username };
  if (!verified) {
    await callApi(request, "/auth/register/direct", { ...fields, target_lang: locale });
    return user;
  }
  const sent = await callApi<{ verification_id: string }>(request, "/auth/send-verification-code", {
    email: user.email,
    verification_type: "register",
  });
  const code = await verificationCode(request, user.email);
  const proof = { verification_id: sent.verification_id, verification_code: code };
  await callApi(request, "/auth/register/email", { ...fields, ...proof, target_lang: locale });
  return user;
}

type PlanIds = { vip_id: number; product_id: number };

/** Adds a plan to the cart over the API; returns the id of its line. */
export async function fillCart(request: APIRequestContext, plan: PlanIds, quantity = 1): Promise<string> {
  const { vip_id, product_id } = plan;
  const added = await callApi<{ cart_id: string }>(request, "/cart/add", { vip_id, product_id, quantity });
  return added.cart_id;
}

/** Places an unpaid order over the API; returns its id. */
export async function placeOrder(request: APIRequestContext, plan: PlanIds, quantity = 1): Promise<string> {
  const line = await fillCart(request, plan, quantity);
  const order = await callApi<{ order_id: string }>(request, "/order/create", { cart_record_ids: [line] });
  return order.order_id;
}

/**
 * Buys a pass over the API and waits for its delivery; returns the order's id. Without `immediate_delivery` its code
 * stays unseen; a pre-order `waits`.
 */
export async function buyPass(
  request: APIRequestContext,
  plan: PlanIds,
  delivery?: { immediate_delivery: boolean },
  { waits = false } = {},
): Promise<string> {
  const order_id = await placeOrder(request, plan);
  const { client_secret } = await callApi<{ client_secret: string }>(
    request,
    "/payment/stripe/create-payment-intent",
    { order_id, ...delivery },
  );
  await callApi(request, "/payment/sandbox/confirm", { client_secret, outcome: "succeeded" });
  const status = async () =>
    (await callApi<{ status: string }>(request, `/order/detail?order_id=${order_id}`)).status;
  const delivered = delivery?.immediate_delivery === false ? "shipped" : "completed";
  await expect
    .poll(status, { timeout: 120_000, intervals: [100, 200] })
    .toBe(waits ? "processing" : delivered);
  return order_id;
}
