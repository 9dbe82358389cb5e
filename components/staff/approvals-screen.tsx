"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { Pager } from "@/components/console/list/pager";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill, type Tone } from "@/components/console/pill";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { LocalTime } from "@/components/ui/local-time";
import { TextArea } from "@/components/ui/text-input";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import type { ApprovalView } from "@/lib/staff/approvals/contract";

type Choice = { approval: ApprovalView; decision: "approve" | "refuse" };
const TONES: Record<ApprovalView["state"], Tone> = {
  asked: "warn",
  approved: "good",
  refused: "bad",
  expired: "plain",
};
/** What takes something away when it is approved. */
const DESTRUCTIVE: readonly ApprovalView["kind"][] = ["reset_factor", "end_merchant"];
const NAMES_ROLES: readonly ApprovalView["kind"][] = ["grant_roles", "remove_admin"];

type Props = {
  approvals: ApprovalView[];
  all: boolean;
  /** this is not the first page */
  later: boolean;
  /** the cursor of the next page */
  next: string | null;
};

/** What waits for a second person, the oldest first; and what was decided. */
export function ApprovalsScreen({ approvals, all, later, next }: Props) {
  const t = useTranslations("console.approvals");
  const title = useApprovalTitle();
  const [choice, setChoice] = useState<Choice>();
  const path = all ? "/console/approvals?state=all" : "/console/approvals";
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <ConsoleLink
          href={all ? "/console/approvals" : "/console/approvals?state=all"}
          className="button button-secondary"
        >
          {t(all ? "show_open" : "show_all")}
        </ConsoleLink>
      </ConsoleHeader>
      {approvals.length === 0 && (
        <p className="rounded-control border border-hairline bg-raised px-4 py-10 text-center text-quiet">
          {t("empty")}
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {approvals.map((approval) => (
          <li
            key={approval.approval_id}
            className="flex flex-wrap items-start justify-between gap-3 rounded-control border border-hairline bg-raised p-4"
          >
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">{title(approval)}</p>
              <p className="pt-1 wrap-anywhere text-quiet">
                {t("asked_by", { name: approval.asked_by })} · <LocalTime at={approval.asked_at} />
              </p>
              {approval.state === "asked" ? (
                <p className="text-quiet">
                  {t("until")} <LocalTime at={approval.expires_at} />
                </p>
              ) : (
                <p className="flex flex-wrap items-center gap-2 pt-1">
                  <Pill tone={TONES[approval.state]}>{t(`state.${approval.state}`)}</Pill>
                  {approval.decided_by && t("decided_by", { name: approval.decided_by })}
                  {approval.alone && <Pill tone="warn">{t("alone")}</Pill>}
                </p>
              )}
              {approval.note && <p className="pt-1 wrap-anywhere">{approval.note}</p>}
            </div>
            {approval.state === "asked" && (
              <div className="flex gap-2">
                <Button onClick={() => setChoice({ approval, decision: "refuse" })}>{t("refuse")}</Button>
                {approval.decidable && (
                  <Button look="primary" onClick={() => setChoice({ approval, decision: "approve" })}>
                    {t("approve")}
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      <Pager
        total={approvals.length}
        first={later ? path : undefined}
        next={next ? `${path}${all ? "&" : "?"}cursor=${next}` : undefined}
      />
      {choice && <DecisionDialog choice={choice} onClose={() => setChoice(undefined)} />}
    </>
  );
}

/** What a request is about, with the names of roles in the reader's language. */
function useApprovalTitle() {
  const t = useTranslations("console.approvals");
  const roleName = useTranslations("console.roles");
  const toName = (word: string) => {
    const role = STAFF_ROLES.find((name) => name === word);
    return role ? roleName(role) : word;
  };
  return ({ kind, subject }: ApprovalView) => {
    // "ada@example.com: support, finance"
    const [email, roles] = NAMES_ROLES.includes(kind) ? subject.split(": ") : [];
    return t(`kind.${kind}`, {
      subject: roles ? `${email}: ${roles.split(", ").map(toName).join(", ")}` : subject,
    });
  };
}

/** Asks for a note, and shows what an approval would do before it is pressed. */
function DecisionDialog({ choice, onClose }: { choice: Choice; onClose: () => void }) {
  const t = useTranslations("console.approvals");
  const title = useApprovalTitle();
  const { approval, decision } = choice;
  const approves = decision === "approve";
  return (
    <ActionDialog
      open
      title={title(approval)}
      confirm={t(decision)}
      danger={!approves || DESTRUCTIVE.includes(approval.kind)}
      done={t(approves ? "approved" : "refused")}
      path={`/admin/approvals/${approval.approval_id}/${decision}`}
      consequences={approves ? [t(`effect.${approval.kind}`)] : []}
      body={(values) => {
        const note = String(values.get("note") ?? "").trim();
        return { version: approval.version, ...(note && { note }) };
      }}
      fields={<TextArea name="note" label={t("note")} maxLength={500} rows={2} />}
      onClose={onClose}
    />
  );
}
