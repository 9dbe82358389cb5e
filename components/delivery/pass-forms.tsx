"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { TextArea, TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { type SendCall, useCall } from "@/components/ui/use-call";
import { REPLACEMENT_REASON_MAX } from "@/lib/delivery/rules";
import { api } from "@/lib/platform/api/client";

type SendForm = (
  fields: FormData,
  ...options: Parameters<SendCall<unknown>>
) => ReturnType<SendCall<unknown>>;

/** A button that opens a form in a dialog. `children` gets the time of opening. */
function PassForm({
  action,
  button,
  send,
  children,
}: {
  action: "activate" | "replace";
  button: string;
  send: SendForm;
  children: (openedAt: Date) => ReactNode;
}) {
  const router = useRouter();
  const t = useTranslations(`delivery.${action}`);
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const [openedAt, setOpenedAt] = useState<Date>();
  const close = () => setOpenedAt(undefined);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const fields = new FormData(event.currentTarget);
    const result = await run((options) => send(fields, options));
    if (!result.ok) return;
    close();
    showToast(t("done"));
    router.refresh();
  }

  return (
    <>
      <Button look="quiet" onClick={() => setOpenedAt(new Date())}>
        {button}
      </Button>
      <Dialog open={openedAt !== undefined} onClose={close} title={t("title")} closeLabel={t("close")}>
        <form className="flex flex-col gap-4" onSubmit={submit}>
          <p>{t("text")}</p>
          {openedAt && children(openedAt)}
          <ErrorNotice>{problem}</ErrorNotice>
          <div className="flex flex-col-reverse gap-2 pt-2 sm:flex-row sm:justify-end">
            <Button onClick={close}>{t("cancel")}</Button>
            <Button look="primary" type="submit" pending={pending}>
              {t("confirm")}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

/** Formats a date as local minutes in the browser's time zone, such as "2026-11-21T09:30". */
function localMinute(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Asks when a pass was activated. Its clock runs from that time. */
export function ActivatePass({ libraryId, activatedAt }: { libraryId: string; activatedAt: string | null }) {
  const t = useTranslations("delivery.activate");
  const send: SendForm = (fields, options) => {
    const at = String(fields.get("at"));
    // The current minute is sent as "now" with second precision. Any other minute is sent explicitly.
    const activation = at === localMinute(new Date()) ? {} : { activated_at: new Date(at).toISOString() };
    return api.post("/library/activate", { library_id: libraryId, ...activation }, options);
  };
  return (
    <PassForm action="activate" button={activatedAt ? t("change") : t("button")} send={send}>
      {(openedAt) => (
        <>
          <TextInput
            label={t("at")}
            name="at"
            type="datetime-local"
            required
            defaultValue={localMinute(activatedAt ? new Date(activatedAt) : openedAt)}
            max={localMinute(openedAt)}
          />
          <p className="text-13 text-quiet">{t("used")}</p>
        </>
      )}
    </PassForm>
  );
}

/** Reports that a code does not work and requests a replacement. */
export function ReplaceKey({ libraryId }: { libraryId: string }) {
  const t = useTranslations("delivery.replace");
  const send: SendForm = (fields, options) => {
    const body = { library_id: libraryId, reason: String(fields.get("reason")) };
    return api.post("/library/replace", body, options);
  };
  return (
    <PassForm action="replace" button={t("button")} send={send}>
      {() => (
        <TextArea
          label={t("reason")}
          hint={t("hint")}
          name="reason"
          required
          maxLength={REPLACEMENT_REASON_MAX}
        />
      )}
    </PassForm>
  );
}
