import { readAttribution } from "@/lib/platform/routing/attribution";

const MAX_LENGTH = 2000; // The maximum length that the API accepts.

/** The visitor's source as the registration calls expect it (docs/product.md#33-what-the-browser-keeps). */
export function signupSource(method: "email" | "direct"): object {
  const stored = readAttribution();
  if (!stored) return {};
  const { source, campaign, medium, content, id, tracking, timestamp, landingPage, referrer } = stored;
  const { invited_account } = stored;
  const source_info = {
    source,
    campaign,
    medium,
    content,
    id,
    timestamp,
    landingPage: landingPage.slice(0, MAX_LENGTH),
    referrer: referrer.slice(0, MAX_LENGTH),
  };
  return method === "direct"
    ? { source_info, invited_account, tracking_id: tracking, id }
    : { source_info, invited_account };
}
