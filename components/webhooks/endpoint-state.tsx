"use client";

import { useTranslations } from "next-intl";
import { Pill } from "@/components/console/pill";
import type { WebhookEndpoint } from "@/lib/webhooks/contract";

type State = Pick<WebhookEndpoint, "state" | "failing_since">;

/** The state of an endpoint: enabled, disabled, or failing. */
export function EndpointState({ state, failing_since }: State) {
  const t = useTranslations("console.merchant_webhooks");
  if (state === "disabled") return <Pill tone="bad">{t("state.disabled")}</Pill>;
  return failing_since ? (
    <Pill tone="warn">{t("state.failing")}</Pill>
  ) : (
    <Pill tone="good">{t("state.enabled")}</Pill>
  );
}
