"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { APPLICATION_TONES } from "@/components/merchants/console/application-list";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { TextArea, TextInput } from "@/components/ui/text-input";
import type { ConsoleApplicationDetail } from "@/lib/merchants/console/contract";
import { APPLICATION_NOTE_MAX, MERCHANT_NAME_MAX, suggestHandle, suggestName } from "@/lib/merchants/rules";

/** One merchant's application, and its decision. */
export function ApplicationRecord({
  application,
  mayDecide,
  vendors,
}: {
  application: ConsoleApplicationDetail;
  mayDecide: boolean;
  /** merchants without members, which an approval may take */
  vendors: readonly { id: string; name: string }[];
}) {
  const t = useTranslations("console.applications");
  const [decision, setDecision] = useState<"approve" | "refuse">();
  const { email, product_url, state } = application;
  const isRefusal = decision === "refuse";
  return (
    <>
      <ConsoleHeader title={email}>
        <Pill tone={APPLICATION_TONES[state]}>{t(`states.${state}`)}</Pill>
      </ConsoleHeader>
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
            [t("language"), application.locale],
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
              <Button look="primary" onClick={() => setDecision("approve")}>
                {t("approve")}
              </Button>
              <Button onClick={() => setDecision("refuse")}>{t("refuse")}</Button>
            </div>
          )
        )}
      </RecordSection>
      {decision && (
        <ActionDialog
          open
          title={t(`${decision}_title`, { email })}
          confirm={t(decision)}
          done={t(isRefusal ? "refused" : "approved")}
          path={`/admin/applications/${application.application_id}/${decision}`}
          body={(fields) => {
            const text = (name: string) => String(fields.get(name) ?? "").trim();
            const note = text("note") && { note: text("note") };
            if (isRefusal) return { ...note };
            const merchant_id = text("merchant_id");
            const made = { handle: text("handle"), name: text("name") };
            return { ...note, ...(merchant_id ? { merchant_id } : made) };
          }}
          fields={
            <>
              {!isRefusal && <ApprovedMerchant productUrl={product_url} vendors={vendors} />}
              <TextArea
                name="note"
                label={t(isRefusal ? "note_reason" : "note_optional")}
                hint={t("note_hint")}
                required={isRefusal}
                maxLength={APPLICATION_NOTE_MAX}
                rows={3}
              />
            </>
          }
          onClose={() => setDecision(undefined)}
        />
      )}
    </>
  );
}

/** The merchant of an approved application: a new one, or a vendor of the catalogue that nobody sells for yet. */
function ApprovedMerchant({
  productUrl,
  vendors,
}: {
  productUrl: string;
  vendors: readonly { id: string; name: string }[];
}) {
  const t = useTranslations("console.applications");
  const [vendor, setVendor] = useState("");
  return (
    <>
      <Select
        name="merchant_id"
        label={t("merchant")}
        hint={t("merchant_hint")}
        value={vendor}
        onChange={(event) => setVendor(event.target.value)}
        options={[
          { value: "", label: t("new_merchant") },
          ...vendors.map(({ id, name }) => ({ value: id, label: name })),
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
