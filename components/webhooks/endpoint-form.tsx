"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { TextInput } from "@/components/ui/text-input";
import { ENDPOINT_NAME_MAX, ENDPOINT_URL_MAX, WEBHOOK_EVENTS, type WebhookEvent } from "@/lib/webhooks/rules";
import { aboutKey } from "./event-key";

export type EndpointFields = { name: string; url: string; events: WebhookEvent[] };

/** Asks for name, address and events of an endpoint: of a new one, or of `endpoint`. */
export function EndpointForm({
  open,
  endpoint,
  sandboxUrl,
  pending,
  problem,
  onSubmit,
  onClose,
}: {
  open: boolean;
  endpoint?: EndpointFields;
  /** the URL of the sandbox's own receiver; null outside the sandbox */
  sandboxUrl: string | null;
  pending: boolean;
  problem: string;
  onSubmit: (fields: EndpointFields) => void;
  onClose: () => void;
}) {
  const t = useTranslations("console.merchant_webhooks");
  const [missing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const checkAll = (checked: boolean) => {
    for (const box of form.current?.querySelectorAll<HTMLInputElement>("input[type=checkbox]") ?? [])
      box.checked = checked;
  };
  function submit(fields: FormData) {
    const events = WEBHOOK_EVENTS.filter((event) => fields.has(event));
    setMissing(events.length === 0);
    if (events.length > 0)
      onSubmit({ name: String(fields.get("name") ?? ""), url: String(fields.get("url") ?? ""), events });
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={endpoint ? t("edit_title") : t("create_title")}
      closeLabel={t("close")}
    >
      {open && (
        <form
          ref={form}
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (!pending) submit(new FormData(event.currentTarget));
          }}
        >
          <TextInput
            name="name"
            label={t("name")}
            hint={t("name_hint")}
            defaultValue={endpoint?.name}
            maxLength={ENDPOINT_NAME_MAX}
            required
            autoComplete="off"
          />
          <TextInput
            name="url"
            label={t("url")}
            hint={t("url_hint")}
            defaultValue={endpoint?.url}
            maxLength={ENDPOINT_URL_MAX}
            required
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
          />
          {sandboxUrl && (
            <Button
              look="quiet"
              className="self-start"
              onClick={() => {
                const field = form.current?.elements.namedItem("url");
                if (field instanceof HTMLInputElement) field.value = sandboxUrl;
              }}
            >
              {t("use_sandbox")}
            </Button>
          )}
          <fieldset>
            <legend className="flex w-full flex-wrap items-center gap-x-4 pb-1 font-medium">
              {t("events")}
            </legend>
            <div className="flex gap-2">
              <Button look="quiet" onClick={() => checkAll(true)}>
                {t("all_events")}
              </Button>
              <Button look="quiet" onClick={() => checkAll(false)}>
                {t("no_events")}
              </Button>
            </div>
            {WEBHOOK_EVENTS.map((event) => (
              <Checkbox
                key={event}
                name={event}
                defaultChecked={endpoint ? endpoint.events.includes(event) : true}
                label={<code className="font-mono text-15">{event}</code>}
                hint={t(aboutKey(event))}
              />
            ))}
          </fieldset>
          <ErrorNotice>{missing ? t("choose_event") : problem}</ErrorNotice>
          <Button type="submit" look="primary" pending={pending} className="self-end">
            {endpoint ? t("save") : t("add")}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
