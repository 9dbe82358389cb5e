"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useReauthentication } from "@/components/accounts/reauthentication/reauthentication-provider";
import { type Column, DataTable } from "@/components/console/data-table";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { LocalTime } from "@/components/ui/local-time";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { EmailInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { type ApiResult, api } from "@/lib/platform/api/client";
import type { StaffMemberView } from "@/lib/staff/members/contract";
import { STAFF_ROLES, type StaffRole } from "@/lib/staff/rules";

type Action =
  | { kind: "roles"; member: StaffMemberView | null }
  | { kind: "revoke" | "reset"; member: StaffMemberView };
const APPROVAL_REQUIRED = "40941";

/** Staff members: roles, membership, lost authenticator apps. */
export function PeopleScreen({ members, viewerId }: { members: StaffMemberView[]; viewerId: string }) {
  const t = useTranslations("console.people");
  const roleName = useTranslations("console.roles");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  const [action, setAction] = useState<Action>();
  const [waits, setWaits] = useState(false);

  function open(next: Action | undefined) {
    setProblem("");
    setAction(next);
  }

  /** Makes the change. What needs a second person waits, which is no error. */
  async function change(call: (options: { networkMessage: string }) => Promise<ApiResult<unknown>>) {
    const result = await run((options) => withReauthentication(() => call(options)));
    const waiting = !result.ok && result.code === APPROVAL_REQUIRED;
    if (!result.ok && !waiting) return;
    open(undefined);
    setWaits(waiting);
    if (result.ok) showToast(t("done"), "good");
    router.refresh();
  }
  const setRoles = (email: string, roles: StaffRole[]) =>
    change((options) => api.post("/admin/staff", { email, roles }, options));

  const columns = useMemo(
    (): Column<StaffMemberView>[] => [
      { id: "email", header: t("email"), main: true, cell: ({ email }) => email },
      {
        id: "roles",
        header: t("roles"),
        cell: ({ roles }) => (
          <span className="flex flex-wrap gap-1.5">
            {roles.map((role) => (
              <Pill key={role} tone={role === "admin" ? "warn" : "plain"}>
                {roleName(role)}
              </Pill>
            ))}
          </span>
        ),
      },
      {
        id: "factor",
        header: t("factor"),
        cell: ({ enrolled }) => (
          <Pill tone={enrolled ? "good" : "bad"}>{t(enrolled ? "factor_set" : "factor_missing")}</Pill>
        ),
      },
      {
        id: "seen",
        header: t("last_seen"),
        cell: ({ last_seen }) => (last_seen ? <ShortTime at={last_seen} /> : t("never")),
      },
      {
        id: "since",
        header: t("since"),
        cell: ({ since, granted_by }) => (
          <>
            <LocalTime at={since} format="date" />
            <span className="block text-13 text-quiet">{t("granted_by", { name: granted_by })}</span>
          </>
        ),
      },
      {
        id: "actions",
        header: t("actions"),
        main: true,
        cell: (member) => (
          <span className="flex flex-wrap gap-x-3 min-[900px]:min-w-44">
            <RowButton onClick={() => setAction({ kind: "roles", member })}>{t("change_roles")}</RowButton>
            {member.enrolled && member.user_id !== viewerId && (
              <RowButton onClick={() => setAction({ kind: "reset", member })}>{t("reset")}</RowButton>
            )}
            <RowButton onClick={() => setAction({ kind: "revoke", member })}>{t("revoke")}</RowButton>
          </span>
        ),
      },
    ],
    [t, roleName, viewerId],
  );

  const email = action?.member?.email ?? "";
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <Button look="primary" onClick={() => open({ kind: "roles", member: null })}>
          {t("add")}
        </Button>
      </ConsoleHeader>
      {waits && (
        <Notice kind="info" title={t("waits")} live className="mb-4">
          <ConsoleLink href="/console/approvals" className="text-link">
            {t("to_approvals")}
          </ConsoleLink>
        </Notice>
      )}
      <DataTable
        name="people"
        label={t("title")}
        columns={columns}
        rows={members}
        rowId={({ user_id }) => user_id}
        rowName={(member) => member.email}
        empty={t("empty")}
      />
      <Dialog
        open={action?.kind === "roles"}
        onClose={() => open(undefined)}
        title={action?.member ? t("change_title", { name: email }) : t("add_title")}
        closeLabel={t("close")}
      >
        <RolesForm
          member={action?.member ?? null}
          pending={pending}
          problem={problem}
          onSubmit={(address, roles) => void setRoles(address, roles)}
        />
      </Dialog>
      <EffectsDialog
        open={action?.kind === "revoke"}
        title={t("revoke_title", { name: email })}
        effects={[t("effect_console"), t("effect_sessions"), t("effect_account")]}
        confirm={t("revoke")}
        pending={pending}
        problem={problem}
        onConfirm={() => void setRoles(email, [])}
        onClose={() => open(undefined)}
      />
      <EffectsDialog
        open={action?.kind === "reset"}
        title={t("reset_title", { name: email })}
        effects={[t("effect_second"), t("effect_factor"), t("effect_sessions"), t("effect_mail")]}
        confirm={t("reset")}
        pending={pending}
        problem={problem}
        onConfirm={() => void change((options) => api.post("/admin/staff/reset-factor", { email }, options))}
        onClose={() => open(undefined)}
      />
    </>
  );
}

function RowButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" onClick={onClick} className="text-link min-h-9 cursor-pointer">
      {children}
    </button>
  );
}

function RolesForm({
  member,
  pending,
  problem,
  onSubmit,
}: {
  member: StaffMemberView | null;
  pending: boolean;
  problem: string;
  onSubmit: (email: string, roles: StaffRole[]) => void;
}) {
  const t = useTranslations("console.people");
  const roleName = useTranslations("console.roles");
  const about = useTranslations("console.role_texts");
  const [missing, setMissing] = useState(false);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        const roles = STAFF_ROLES.filter((role) => fields.has(role));
        setMissing(roles.length === 0);
        if (roles.length > 0) onSubmit(member?.email ?? String(fields.get("email") ?? ""), roles);
      }}
    >
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
      <ErrorNotice>{missing ? t("choose_role") : problem}</ErrorNotice>
      <Button type="submit" look="primary" pending={pending} className="self-end">
        {t("save")}
      </Button>
    </form>
  );
}
