"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { ConsoleLink } from "@/components/console/link";
import { columnsOf } from "@/components/console/list/columns";
import { ListScreen, NO_FIELDS, wholeList } from "@/components/console/list/list-screen";
import { ShortTime } from "@/components/console/time";
import { useStartAgain } from "@/components/console/use-start-again";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { EmailInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { type ApiResult, api } from "@/lib/platform/api/client";
import { STAFF_ROLES, type StaffRole } from "@/lib/platform/auth/permissions";
import type { StaffMemberView } from "@/lib/staff/members/contract";

type Action =
  | { kind: "roles"; member: StaffMemberView | null }
  | { kind: "revoke" | "reset"; member: StaffMemberView };
const APPROVAL_REQUIRED = "40941";
const column = columnsOf<StaffMemberView>();

/** Staff members: roles, membership, lost authenticator apps. */
export function PeopleScreen({ members, viewerId }: { members: StaffMemberView[]; viewerId: string }) {
  const t = useTranslations("console.people");
  const roleName = useTranslations("console.roles");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  const startAgain = useStartAgain();
  const [action, setAction] = useState<Action>();
  const [waits, setWaits] = useState(false);

  const open = useCallback(
    (next: Action | undefined) => {
      setProblem("");
      if (next) setWaits(false);
      setAction(next);
    },
    [setProblem],
  );

  /** Makes the change. A change that needs a second person waits, which is not an error. */
  async function change(call: (options: { networkMessage: string }) => Promise<ApiResult<unknown>>) {
    const result = await run((options) => withReauthentication(() => call(options)));
    if (startAgain(result, () => open(undefined))) return;
    const waiting = !result.ok && result.code === APPROVAL_REQUIRED;
    if (!result.ok && !waiting) return;
    open(undefined);
    setWaits(waiting);
    if (result.ok) showToast(t("done"), "good");
    router.refresh();
  }

  const email = action?.member?.email ?? "";
  const version = action?.member?.version;
  return (
    <>
      <ListScreen
        path="/console/people"
        list={wholeList(members)}
        values={{}}
        fields={NO_FIELDS}
        title={t("title")}
        lead={t("lead")}
        empty={t("empty")}
        rowId={({ user_id }) => user_id}
        rowName={(member) => member.email}
        tools={
          <Button look="primary" onClick={() => open({ kind: "roles", member: null })}>
            {t("add")}
          </Button>
        }
        summary={
          waits && (
            <Notice kind="info" title={t("waits")} live className="mb-2">
              <ConsoleLink href="/console/approvals" className="text-link">
                {t("to_approvals")}
              </ConsoleLink>
            </Notice>
          )
        }
        columns={[
          column.text("email", t("email"), (member) => member.email, { main: true }),
          column.state(
            "roles",
            t("roles"),
            ({ roles }) =>
              roles.map((role) => ({ text: roleName(role), tone: role === "admin" ? "warn" : "plain" })),
            { width: 210 },
          ),
          column.state("factor", t("factor"), ({ enrolled }) => ({
            text: t(enrolled ? "factor_set" : "factor_missing"),
            tone: enrolled ? "good" : "bad",
          })),
          column.cell(
            "seen",
            t("last_seen"),
            ({ last_seen }) => (last_seen ? <ShortTime at={last_seen} /> : t("never")),
            { width: 138, card: "time" },
          ),
          column.date("since", t("since"), ({ since }) => since),
          column.text("granted_by", t("since_by"), ({ granted_by }) => granted_by, { minor: true }),
        ]}
        actions={[
          {
            id: "roles",
            label: t("change_roles"),
            run: async (member) => open({ kind: "roles", member }),
          },
          {
            id: "revoke",
            label: t("revoke"),
            danger: true,
            run: async (member) => open({ kind: "revoke", member }),
          },
          {
            id: "reset",
            label: t("reset"),
            when: (member) => member.enrolled && member.user_id !== viewerId,
            run: async (member) => open({ kind: "reset", member }),
          },
        ]}
      />
      {(action?.kind === "roles" || action?.kind === "revoke") && (
        <RolesDialog
          member={action.member}
          members={members}
          revokes={action.kind === "revoke"}
          onWaits={() => setWaits(true)}
          onClose={() => open(undefined)}
        />
      )}
      <EffectsDialog
        open={action?.kind === "reset"}
        title={t("reset_title", { name: email })}
        effects={[t("effect_second"), t("effect_factor"), t("effect_sessions"), t("effect_mail")]}
        confirm={t("reset")}
        danger
        pending={pending}
        problem={problem}
        onConfirm={() =>
          void change((options) => api.post("/admin/staff/reset-factor", { email, version }, options))
        }
        onClose={() => open(undefined)}
      />
    </>
  );
}

/** Sets the roles of a member or of a new one, or ends a membership, after what it would do was shown. */
function RolesDialog({
  member,
  members,
  revokes,
  onWaits,
  onClose,
}: {
  member: StaffMemberView | null;
  members: readonly StaffMemberView[];
  revokes: boolean;
  onWaits: () => void;
  onClose: () => void;
}) {
  const t = useTranslations("console.people");
  const email = member?.email ?? "";
  const chosen = (values: FormData): StaffRole[] =>
    revokes ? [] : STAFF_ROLES.filter((role) => values.has(role));
  const change = {
    open: true,
    done: t("done"),
    path: "/admin/staff",
    body: (values: FormData) => ({
      email: email || String(values.get("email") ?? ""),
      version: member?.version,
      roles: chosen(values),
    }),
    onWaits,
    onClose,
  };
  if (revokes)
    return (
      <ActionDialog
        {...change}
        title={t("revoke_title", { name: email })}
        confirm={t("revoke")}
        danger
        consequences={[t("effect_console"), t("effect_account")]}
      />
    );
  return (
    <ActionDialog
      {...change}
      title={member ? t("change_title", { name: email }) : t("add_title")}
      confirm={t("save")}
      check={(values) => {
        if (chosen(values).length === 0) return t("choose_role");
        const typed = String(values.get("email") ?? "")
          .trim()
          .toLowerCase();
        return members.some((other) => other.email.toLowerCase() === typed) ? t("already_listed") : "";
      }}
      fields={<RolesFields member={member} />}
    />
  );
}

function RolesFields({ member }: { member: StaffMemberView | null }) {
  const t = useTranslations("console.people");
  const roleName = useTranslations("console.roles");
  const about = useTranslations("console.role_texts");
  return (
    <>
      {!member && <EmailInput name="email" label={t("email")} hint={t("email_hint")} required />}
      <fieldset>
        <legend className="pb-1 font-medium">{t("roles")}</legend>
        {STAFF_ROLES.map((role) => (
          <Checkbox
            key={role}
            name={role}
            label={roleName(role)}
            hint={about(role)}
            defaultChecked={member?.roles.includes(role)}
          />
        ))}
      </fieldset>
    </>
  );
}
