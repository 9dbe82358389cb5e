"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useStartAgain } from "@/components/console/use-start-again";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { EmailInput, TextArea } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { ConsoleMerchantDetail } from "@/lib/merchants/console/contract-merchants";
import { mayChangeState, STATE_NOTE_MAX } from "@/lib/merchants/rules";
import { api } from "@/lib/platform/api/client";

const CHANGES = ["resume", "pause", "suspend", "end"] as const;
type Action = (typeof CHANGES)[number] | "invite" | "look";
/** Changes whose note is required. */
const WITH_REASON: readonly Action[] = ["suspend", "end"];

/** The actions of staff on a merchant. Each previews its effects first. */
export function MerchantActions({ merchant }: { merchant: ConsoleMerchantDetail }) {
  const t = useTranslations("console.merchants");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const startAgain = useStartAgain();
  const { pending, problem, run } = useCall(network);
  const [open, setOpen] = useState<Action>();
  const { merchant_id: id, name, state, trust, invites, members, version, discounts } = merchant;
  const trusts = trust === "trusted" ? "new" : "trusted";
  const invited = members.length === 0 ? invites[0]?.email : undefined;

  async function changeTrust() {
    const result = await run((options) =>
      withReauthentication(() =>
        api.post<object>(`/admin/merchants/${id}/trust`, { trust: trusts, version }, options),
      ),
    );
    if (startAgain(result) || !result.ok) return;
    showToast(t(`trust_${trusts}_done`), "good");
    router.refresh();
  }

  async function allowKeys() {
    const result = await run((options) =>
      withReauthentication(() =>
        api.post<object>(`/admin/merchants/${id}/allow-keys`, { version: merchant.keys_version }, options),
      ),
    );
    if (startAgain(result) || !result.ok) return;
    showToast(t("allow_keys_done"), "good");
    router.refresh();
  }

  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button look={members.length === 0 ? "primary" : "secondary"} onClick={() => setOpen("invite")}>
          {t("invite")}
        </Button>
        {CHANGES.filter((change) => mayChangeState(state, change)).map((change) => (
          <Button key={change} onClick={() => setOpen(change)}>
            {t(change)}
          </Button>
        ))}
        {discounts?.high_since && !discounts.looked_at && (
          <Button onClick={() => setOpen("look")}>{t("look")}</Button>
        )}
        <Button pending={pending} onClick={() => void changeTrust()}>
          {t(`trust_${trusts}`)}
        </Button>
        {merchant.keys_stopped_at && (
          <Button pending={pending} onClick={() => void allowKeys()}>
            {t("allow_keys")}
          </Button>
        )}
      </div>
      <ErrorNotice className="mt-3">{problem}</ErrorNotice>
      {open === "invite" && (
        <ActionDialog
          open
          title={t("invite_title", { name })}
          confirm={t("invite")}
          done={t("invited")}
          path={`/admin/merchants/${id}/invite`}
          body={(fields) => ({ email: String(fields.get("email") ?? "") })}
          fields={
            <EmailInput
              name="email"
              label={t("invite_email")}
              hint={t("invite_hint")}
              defaultValue={invited}
              autoComplete="off"
              required
            />
          }
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "look" && (
        <ActionDialog
          open
          title={t("look_title", { name })}
          confirm={t("look")}
          done={t("look_done")}
          path={`/admin/merchants/${id}/discounts-looked`}
          consequences={[t("look_text")]}
          body={(fields) => {
            const note = String(fields.get("note") ?? "").trim();
            return { version: discounts?.version, ...(note && { note }) };
          }}
          fields={
            <>
              <p>{t("look_text")}</p>
              <TextArea
                name="note"
                label={t("look_note")}
                hint={t("look_note_hint")}
                maxLength={STATE_NOTE_MAX}
                rows={3}
              />
            </>
          }
          onClose={() => setOpen(undefined)}
        />
      )}
      {open && open !== "invite" && open !== "look" && (
        <ActionDialog
          open
          title={t(`${open}_title`, { name })}
          confirm={t(open)}
          danger={open !== "resume"}
          done={t(`${open}_done`)}
          path={`/admin/merchants/${id}/${open}`}
          body={(fields) => {
            const note = String(fields.get("note") ?? "").trim();
            return { version, ...(note && { note }) };
          }}
          fields={
            <TextArea
              name="note"
              label={t(WITH_REASON.includes(open) ? "reason" : "note")}
              hint={t("note_hint")}
              required={WITH_REASON.includes(open)}
              maxLength={STATE_NOTE_MAX}
              rows={3}
            />
          }
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
