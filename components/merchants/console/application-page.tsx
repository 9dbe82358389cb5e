"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { ReasonArea } from "@/components/console/reason-area";
import { Facts, RecordSection } from "@/components/console/record";
import { RecordBar, type RecordHeading } from "@/components/console/record-page";
import { ShortTime } from "@/components/console/time";
import { APPLICATION_TONES } from "@/components/merchants/console/application-list";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { TextArea, TextInput } from "@/components/ui/text-input";
import type { ConsoleApplicationDetail } from "@/lib/merchants/console/contract";
import { APPLICATION_NOTE_MAX, MERCHANT_NAME_MAX, suggestHandle, suggestName } from "@/lib/merchants/rules";
import { api } from "@/lib/platform/api/client";
import { LANGUAGE_NAMES, type Locale } from "@/lib/platform/i18n/locales";

const TYPING_PAUSE_MS = 250;

/** One merchant's application, and its decision. */
export function ApplicationRecord({
  application,
  mayDecide,
  heading = "h1",
}: {
  application: ConsoleApplicationDetail;
  mayDecide: boolean;
  heading?: RecordHeading;
}) {
  const t = useTranslations("console.applications");
  const [decision, setDecision] = useState<"approve" | "refuse">();
  const { email, product_url, state, version } = application;
  const isRefusal = decision === "refuse";
  return (
    <>
      <RecordBar
        title={email}
        heading={heading}
        states={<Pill tone={APPLICATION_TONES[state]}>{t(`states.${state}`)}</Pill>}
      />
      <div className="pb-7">
        <Facts
          rows={[
            [
              t("url"),
              <a key="url" href={product_url} target="_blank" rel="noreferrer noopener" className="text-link">
                {product_url}
              </a>,
            ],
            [t("phone"), application.phone_num],
            [t("language"), LANGUAGE_NAMES[application.locale as Locale]],
            [t("created"), <ShortTime key="at" at={application.created_at} />],
            application.came_from !== null && [t("source"), application.came_from],
            [
              t("account"),
              application.customer_id ? (
                <ConsoleLink
                  key="c"
                  href={`/console/customers/${application.customer_id}`}
                  className="text-link"
                >
                  {t("account_open")}
                </ConsoleLink>
              ) : (
                t("no_account")
              ),
            ],
          ]}
        />
      </div>
      <RecordSection title={t("decision")}>
        {application.decided_at ? (
          <Facts
            rows={[
              [
                t("state"),
                <Pill key="s" tone={APPLICATION_TONES[state]}>
                  {t(`states.${state}`)}
                </Pill>,
              ],
              [
                t("decided"),
                <>
                  <ShortTime at={application.decided_at} /> {application.decided_by}
                </>,
              ],
              [t("note"), application.note ?? "–"],
              application.merchant !== null && [
                t("merchant"),
                <ConsoleLink
                  key="m"
                  href={`/console/merchants/${application.merchant.id}`}
                  className="text-link"
                >
                  {application.merchant.name}
                </ConsoleLink>,
              ],
            ]}
          />
        ) : (
          mayDecide && (
            <div className="flex flex-wrap gap-3">
              <Button look="primary" data-press="a" onClick={() => setDecision("approve")}>
                {t("approve")}
              </Button>
              <Button data-press="r" onClick={() => setDecision("refuse")}>
                {t("refuse")}
              </Button>
            </div>
          )
        )}
      </RecordSection>
      {decision && (
        <ActionDialog
          open
          title={t(`${decision}_title`, { email })}
          confirm={t(decision)}
          danger={isRefusal}
          done={t(isRefusal ? "refused" : "approved")}
          path={`/admin/applications/${application.application_id}/${decision}`}
          body={(fields) => {
            const text = (name: string) => String(fields.get(name) ?? "").trim();
            const note = text("note") && { note: text("note") };
            if (isRefusal) return { version, ...note };
            const merchant_id = text("merchant_id");
            const made = { handle: text("handle"), name: text("name") };
            return { version, ...note, ...(merchant_id ? { merchant_id } : made) };
          }}
          fields={
            <>
              {!isRefusal && <ApprovedMerchant productUrl={product_url} />}
              {isRefusal ? (
                <ReasonArea
                  kind="application"
                  reader={application.locale as Locale}
                  name="note"
                  label={t("note_reason")}
                  hint={t("note_hint")}
                  required
                  maxLength={APPLICATION_NOTE_MAX}
                />
              ) : (
                <TextArea
                  name="note"
                  label={t("note_optional")}
                  hint={t("note_hint")}
                  maxLength={APPLICATION_NOTE_MAX}
                  rows={3}
                />
              )}
            </>
          }
          onClose={() => setDecision(undefined)}
        />
      )}
    </>
  );
}

type Choice = { merchant_id: string; name: string };

/** Merchants without members whose name begins so, found by the server; the newest without a name. */
function useUnownedMerchants(name: string): readonly Choice[] {
  const [found, setFound] = useState<readonly Choice[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(
      async () => {
        const result = await api.get(
          "/admin/merchants",
          { unowned: true, ...(name && { name }) },
          { signal: abort.signal },
        );
        if (!abort.signal.aborted && result.ok) setFound(result.data.items);
      },
      name ? TYPING_PAUSE_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [name]);
  return found;
}

/** The merchant of an approved application: a new one, or a vendor of the catalogue without members. */
function ApprovedMerchant({ productUrl }: { productUrl: string }) {
  const t = useTranslations("console.applications");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Choice>();
  const found = useUnownedMerchants(name.trim().toLowerCase());
  const others = found.filter(({ merchant_id }) => merchant_id !== chosen?.merchant_id);
  const choices = chosen ? [chosen, ...others] : others;
  const vendor = chosen?.merchant_id ?? "";
  return (
    <>
      <TextInput
        label={t("merchant_search")}
        hint={t("merchant_search_hint")}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        maxLength={MERCHANT_NAME_MAX}
        autoComplete="off"
      />
      <Select
        name="merchant_id"
        label={t("merchant")}
        hint={t("merchant_hint")}
        value={vendor}
        onChange={({ target }) => setChosen(choices.find(({ merchant_id }) => merchant_id === target.value))}
        options={[
          { value: "", label: t("new_merchant") },
          ...choices.map(({ merchant_id, name }) => ({ value: merchant_id, label: name })),
        ]}
      />
      {vendor === "" && (
        <>
          <TextInput
            name="name"
            label={t("merchant_name")}
            defaultValue={suggestName(productUrl)}
            maxLength={MERCHANT_NAME_MAX}
            required
            autoComplete="off"
          />
          <TextInput
            name="handle"
            label={t("handle")}
            hint={t("handle_hint")}
            defaultValue={suggestHandle(productUrl)}
            maxLength={60}
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </>
      )}
    </>
  );
}
