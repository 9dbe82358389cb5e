"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ChangesList } from "@/components/catalog/editor/changes-list";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { ReasonArea } from "@/components/console/reason-area";
import { Facts, RecordSection } from "@/components/console/record";
import { RecordBar, type RecordHeading } from "@/components/console/record-page";
import { ShortTime } from "@/components/console/time";
import {
  CheckNotices,
  checkLabels,
  hasProblems,
  ShownPrices,
} from "@/components/merchants/changes/change-check";
import { CHANGE_TONES, RISK_TONES } from "@/components/merchants/changes/tones";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { TextArea } from "@/components/ui/text-input";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import type { ConsoleChangeDetail } from "@/lib/merchants/changes/contract-console";
import { CHANGE_NOTE_MAX } from "@/lib/merchants/changes/rules";
import { ChangePicture } from "./change-picture";

type Decision = "approve" | "return" | "refuse";
type Props = {
  change: Omit<ConsoleChangeDetail, "line"> & { line: ProductRecord };
  heading?: RecordHeading;
};

/** One change of a merchant: its differences, their effect on prices, and the decision. */
export function ChangeRecord({ change, heading = "h1" }: Props) {
  const t = useTranslations("console.changes");
  const picture = useTranslations("console.change_picture");
  const [decision, setDecision] = useState<Decision>();
  const { change_id, product_id, product_name, state, risk, check, note } = change;
  const waits = state === "proposed";
  return (
    <>
      <RecordBar
        title={product_name}
        heading={heading}
        states={
          <>
            <Pill tone={CHANGE_TONES[state]}>{t(`states.${state}`)}</Pill>
            <Pill tone={RISK_TONES[risk]}>{`${t("risk")}: ${t(`risks.${risk}`)}`}</Pill>
          </>
        }
      />
      {waits && check && <CheckNotices check={check} labels={checkLabels(t)} />}
      {waits && check?.needs_approval && (
        <Notice kind="warn" className="mb-5">
          {t("needs_approval")}
        </Notice>
      )}
      <div className="pb-7">
        <Facts
          rows={[
            [
              t("merchant"),
              <ConsoleLink
                key="m"
                href={`/console/changes?merchant=${change.merchant}`}
                className="text-link"
              >
                {change.merchant_name}
              </ConsoleLink>,
            ],
            [t("trust"), change.trust === "trusted" ? t("trusts.trusted") : t("trusts.new")],
            [
              t("product"),
              product_id === null ? (
                t("new_product")
              ) : (
                <ConsoleLink key="p" href={`/console/products/${product_id}`} className="text-link">
                  {product_name}
                </ConsoleLink>
              ),
            ],
            [t("kind"), t(`kinds.${change.kind}`)],
            [t("by"), change.by_shop ? t("by_shop") : change.created_by],
            change.proposed_at !== null && [t("proposed"), <ShortTime key="at" at={change.proposed_at} />],
            change.kind !== "new" && [t("base"), change.base_revision],
            change.revision !== null && [t("version"), change.revision],
          ]}
        />
      </div>
      <RecordSection title={t("what_changes")}>
        <ChangePicture change={change} />
        {check && <ShownPrices check={check} label={t("buyers_will_see")} />}
        <details>
          <summary className="min-h-11 cursor-pointer py-2 font-medium">{picture("raw")}</summary>
          <ChangesList changes={change.changes} />
        </details>
      </RecordSection>
      <RecordSection title={t("decision")}>
        {waits ? (
          <>
            {note !== null && <p className="pb-3 wrap-anywhere">{t("earlier_note", { note })}</p>}
            <div className="sticky bottom-0 flex flex-wrap gap-3 bg-paper py-3">
              <Button
                look="primary"
                data-press="a"
                disabled={hasProblems(check)}
                onClick={() => setDecision("approve")}
              >
                {t("approve")}
              </Button>
              <Button onClick={() => setDecision("return")}>{t("return")}</Button>
              <Button data-press="r" onClick={() => setDecision("refuse")}>
                {t("refuse")}
              </Button>
            </div>
          </>
        ) : (
          <Facts
            rows={[
              [
                t("state"),
                <Pill key="s" tone={CHANGE_TONES[state]}>
                  {t(`states.${state}`)}
                </Pill>,
              ],
              [
                t("decided"),
                change.automatic ? (
                  t("automatic")
                ) : (
                  <>
                    {change.decided_at && <ShortTime at={change.decided_at} />} {change.decided_by}
                  </>
                ),
              ],
              [t("note"), note ?? "–"],
            ]}
          />
        )}
      </RecordSection>
      {decision && (
        <ActionDialog
          open
          title={t(`${decision}_title`, { product: product_name })}
          confirm={t(decision)}
          danger={decision === "refuse"}
          done={t(`done_${decision}`)}
          path={`/admin/changes/${change_id}/${decision}`}
          body={(fields) => {
            const text = String(fields.get("note") ?? "").trim();
            return { version: change.version, ...(text && { note: text }) };
          }}
          fields={
            decision === "approve" ? (
              <TextArea
                name="note"
                label={t("note_optional")}
                hint={t("note_hint")}
                maxLength={CHANGE_NOTE_MAX}
                rows={3}
              />
            ) : (
              <ReasonArea
                kind="change"
                reader={change.reader}
                name="note"
                label={t(`note_${decision}`)}
                hint={t("note_hint")}
                required
                maxLength={CHANGE_NOTE_MAX}
              />
            )
          }
          onClose={() => setDecision(undefined)}
        />
      )}
    </>
  );
}
