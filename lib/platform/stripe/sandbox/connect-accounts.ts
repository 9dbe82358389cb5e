import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { db, type Tx } from "@/db/client";
import { sandboxAccounts } from "@/db/schema/sandbox";
import { randomText } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { parsePath } from "@/lib/platform/routing/paths";
import { commitAndDeliver, recordThinEvent } from "./events";
import { notFound, type Params, parseParams, stripeId } from "./http";

/** Accounts v2 as far as the shop uses them, and the page at which a merchant gives its details to the provider. */
type AccountRow = typeof sandboxAccounts.$inferSelect;
const LINK_MINUTES = 10;
const FIRST_REQUIREMENTS = [
  "identity.business_details.registered_name",
  "identity.attestations.terms_of_service",
];

const AccountParams = z.strictObject({
  display_name: z.string().max(200),
  contact_email: z.email(),
  dashboard: z.literal("express"),
  identity: z.strictObject({ country: z.string().length(2) }),
  defaults: z.strictObject({
    responsibilities: z.strictObject({
      fees_collector: z.literal("application"),
      losses_collector: z.literal("application"),
    }),
  }),
  configuration: z.strictObject({
    recipient: z.strictObject({
      capabilities: z.strictObject({
        stripe_balance: z.strictObject({ stripe_transfers: z.strictObject({ requested: z.literal(true) }) }),
      }),
    }),
  }),
  metadata: z.record(z.string(), z.string()),
  include: z.array(z.string()),
});

const accountObject = ({
  id,
  country,
  displayName,
  metadata,
  state,
  requirements,
  createdAt,
}: AccountRow) => ({
  id,
  object: "v2.core.account",
  applied_configurations: ["recipient"],
  closed: state === "closed",
  created: createdAt,
  dashboard: "express",
  display_name: displayName,
  identity: { country: country.toLowerCase() },
  configuration: {
    recipient: {
      applied: true,
      capabilities: {
        stripe_balance: {
          stripe_transfers: { status: state === "closed" ? "restricted" : state, status_details: [] },
        },
      },
    },
  },
  requirements: {
    entries: requirements.map((description) => ({ description, awaiting_action_from: "user", errors: [] })),
  },
  livemode: false,
  metadata,
});

export async function createAccount(tx: Tx, params: Params) {
  const { display_name: displayName, identity, metadata } = parseParams(AccountParams, params);
  const [row] = await tx
    .insert(sandboxAccounts)
    .values({
      id: stripeId("acct"),
      displayName,
      country: identity.country.toUpperCase(),
      metadata,
      requirements: FIRST_REQUIREMENTS,
    })
    .returning();
  return accountObject(row!);
}

export const selectAccount = (tx: Tx | typeof db, id: string) =>
  tx.select().from(sandboxAccounts).where(eq(sandboxAccounts.id, id));

export async function retrieveAccount(id: string) {
  const [row] = await selectAccount(db, id);
  if (!row) throw notFound(404, "account", id, "id");
  return accountObject(row);
}

const LinkParams = z.strictObject({
  account: z.string(),
  use_case: z.strictObject({
    type: z.literal("account_onboarding"),
    account_onboarding: z.strictObject({
      return_url: z.url(),
      refresh_url: z.url(),
    }),
  }),
});

export async function createAccountLink(tx: Tx, params: Params) {
  const { account: id, use_case } = parseParams(LinkParams, params);
  const { return_url: returnUrl, refresh_url: refreshUrl } = use_case.account_onboarding;
  const token = randomText(24);
  const [row] = await tx.execute<{ expiresAt: string }>(sql`
    select (shop_now() + make_interval(mins => ${LINK_MINUTES}))::text as "expiresAt" from sandbox_accounts where id = ${id} and state <> 'closed'`);
  if (!row) throw notFound(404, "account", id, "account");
  const { expiresAt } = row;
  await tx
    .update(sandboxAccounts)
    .set({ link: { token, expiresAt, returnUrl, refreshUrl } })
    .where(eq(sandboxAccounts.id, id));
  const url = new URL(`/dev/connect/${id}?link=${token}`, env().APP_URL).href;
  return {
    object: "v2.core.account_link",
    account: id,
    created: new Date(),
    expires_at: expiresAt,
    url,
    livemode: false,
  };
}

/** The choices of the page; `tests` also restrict and close an account, as the provider does by itself. */
export const ONBOARDING_CHOICES = ["complete", "document_missing", "refuse", "link_expired"] as const;
export type OnboardingChoice = (typeof ONBOARDING_CHOICES)[number];

type Change = { state: AccountRow["state"]; requirements: string[] };
const CHANGES: Record<Exclude<OnboardingChoice, "link_expired">, Change> = {
  complete: { state: "active", requirements: [] },
  document_missing: {
    state: "restricted",
    requirements: ["identity.individual.documents.primary_verification"],
  },
  refuse: { state: "closed", requirements: [] },
};

/** The account of a link to the page, and the language of the page it leads back to; null for an invalid link, and outside the sandbox. */
export async function findOnboarding(id: string, token: string) {
  if (env().PAYMENT_MODE !== "sandbox") return null;
  const [row] = await selectAccount(db, id);
  if (row?.link?.token !== token || row.state === "closed") return null;
  const { locale } = parsePath(new URL(row.link.returnUrl).pathname);
  return { id, name: row.displayName, locale };
}

/** Answers the page. Returns the return address; null for an invalid link. A link works once. */
export async function answerOnboarding(
  id: string,
  token: string,
  choice: OnboardingChoice,
): Promise<string | null> {
  const found = await findOnboarding(id, token);
  if (!found) return null;
  return commitAndDeliver(async (tx) => {
    const [row] = await selectAccount(tx, id).for("update");
    const link = row?.link;
    if (link?.token !== token) return null;
    await tx.update(sandboxAccounts).set({ link: null }).where(eq(sandboxAccounts.id, id));
    if (choice === "link_expired") return link.refreshUrl;
    await changeAccount(tx, id, CHANGES[choice]);
    return link.returnUrl;
  });
}

/** Changes an account as the provider does, and sends the events about it. */
export async function changeAccount(tx: Tx, id: string, change: Change): Promise<void> {
  await tx.update(sandboxAccounts).set(change).where(eq(sandboxAccounts.id, id));
  await recordThinEvent(tx, "v2.core.account[requirements].updated", id);
  await recordThinEvent(tx, "v2.core.account[configuration.recipient].capability_status_updated", id);
  if (change.state === "closed") await recordThinEvent(tx, "v2.core.account.closed", id);
}
