import { Webhook } from "standardwebhooks";

export type SignedMessage = { id: string; body: string; at: Date };

/** The headers of a message (Standard Webhooks), signed with each of the endpoint's secrets, the newest first. */
export const signMessage = ({ id, body, at }: SignedMessage, secrets: readonly string[]) => ({
  "Content-Type": "application/json",
  "User-Agent": "Passlane-Webhooks/1",
  "Webhook-Id": id,
  "Webhook-Timestamp": String(Math.floor(at.getTime() / 1_000)),
  "Webhook-Signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
});
