"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-input";
import type { ShopState } from "@/lib/staff/shop/contract";

const OTHERS = [
  ["to_campaigns", "/console/campaigns"],
  ["to_announcements", "/console/announcements"],
  ["to_withheld", "/console/keys/withheld"],
] as const;

/** The switches of the whole shop: closing and opening it, and the way to the others. */
export function SettingsScreen({ shop: { open, closure } }: { shop: ShopState }) {
  const t = useTranslations("console.settings");
  const [action, setAction] = useState<"close" | "open">();
  const closing = action === "close";
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")} />
      <RecordSection title={t("shop")}>
        <div className="flex flex-col items-start gap-4">
          <Pill tone={open ? "good" : "bad"}>{t(open ? "open" : "closed")}</Pill>
          {closure ? (
            <Facts
              rows={[
                [t("since"), <ShortTime key="since" at={closure.since} />],
                [t("by"), closure.by],
                [t("reason"), closure.reason],
              ]}
            />
          ) : (
            <p className="max-w-text text-quiet">{t("open_text")}</p>
          )}
          <Button look={open ? "secondary" : "primary"} onClick={() => setAction(open ? "close" : "open")}>
            {t(open ? "close" : "reopen")}
          </Button>
        </div>
      </RecordSection>
      <RecordSection title={t("others")}>
        <ul className="flex flex-col gap-2">
          {OTHERS.map(([name, path]) => (
            <li key={name}>
              <ConsoleLink href={path} className="text-link inline-flex min-h-9 items-center">
                {t(name)}
              </ConsoleLink>
            </li>
          ))}
        </ul>
      </RecordSection>
      <ActionDialog
        open={action !== undefined}
        title={t(closing ? "close_title" : "reopen_title")}
        confirm={t(closing ? "close" : "reopen")}
        danger={closing}
        done={t(closing ? "closed_now" : "opened_now")}
        path={`/admin/shop/${action ?? "close"}`}
        body={(values) => (closing ? { reason: String(values.get("reason") ?? "").trim() } : {})}
        fields={
          closing ? (
            <TextArea
              name="reason"
              label={t("reason_label")}
              hint={t("reason_hint")}
              required
              minLength={3}
              maxLength={500}
              rows={2}
            />
          ) : undefined
        }
        onClose={() => setAction(undefined)}
      />
    </>
  );
}
