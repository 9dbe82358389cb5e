"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { RecordSection, RecordTable } from "@/components/console/record";
import { RowButton } from "@/components/console/row-button";
import { ShortTime } from "@/components/console/time";
import { useStartAgain } from "@/components/console/use-start-again";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { EmailInput } from "@/components/ui/text-input";
import { MERCHANT_ROLES, type MerchantRole } from "@/lib/merchants/rules";
import type { MerchantTeam } from "@/lib/merchants/team/contract";
import { api } from "@/lib/platform/api/client";

type Member = MerchantTeam["members"][number];
type Open = { kind: "invite" } | { kind: "end" | "role"; member: Member };

/** The team of a merchant: members with their roles, and open invitations. */
export function TeamScreen({ team, canChange }: { team: MerchantTeam; canChange: boolean }) {
  const t = useTranslations("console.merchant_team");
  const roleName = useTranslations("console.merchant.role");
  const { pending, problem, setProblem, act } = useAction();
  const startAgain = useStartAgain();
  const [open, setOpen] = useState<Open>();
  const show = (next: Open | undefined) => {
    setProblem("");
    setOpen(next);
  };
  const member = open && open.kind !== "invite" ? open.member : undefined;
  const version = member?.version;
  const name = member?.email ?? "";
  const nextRole: MerchantRole = member?.role === "owner" ? "member" : "owner";

  async function change(send: Parameters<typeof act>[0], done: string) {
    const result = await act(send, done);
    if (result.ok || startAgain(result)) show(undefined);
  }
  const invite = (email: string, role: MerchantRole) =>
    change((options) => api.post("/merchant/invites", { email, role }, options), t("invited", { email }));

  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        {canChange && (
          <Button look="primary" onClick={() => show({ kind: "invite" })}>
            {t("invite")}
          </Button>
        )}
      </ConsoleHeader>
      <RecordTable
        label={t("title")}
        rows={team.members}
        rowId={({ member_id }) => member_id}
        empty={t("nobody")}
        columns={[
          {
            name: t("person"),
            cell: ({ email, name, is_self }) => (
              <>
                <span className="wrap-anywhere">{email}</span> {is_self && <Pill>{t("you")}</Pill>}
                <span className="block text-13 text-quiet">{name}</span>
              </>
            ),
          },
          {
            name: t("role"),
            cell: ({ role }) => <Pill tone={role === "owner" ? "warn" : "plain"}>{roleName(role)}</Pill>,
          },
          {
            name: t("factor"),
            cell: ({ enrolled }) => (
              <Pill tone={enrolled ? "good" : "plain"}>{t(enrolled ? "factor_set" : "factor_missing")}</Pill>
            ),
          },
          { name: t("since"), cell: ({ since }) => <ShortTime at={since} /> },
          ...(canChange
            ? [
                {
                  name: t("actions"),
                  cell: (row: Member) => (
                    <span className="flex flex-wrap gap-x-4">
                      <RowButton of={row.email} onClick={() => show({ kind: "role", member: row })}>
                        {t(row.role === "owner" ? "make_member" : "make_owner")}
                      </RowButton>
                      <RowButton of={row.email} onClick={() => show({ kind: "end", member: row })}>
                        {t(row.is_self ? "leave" : "end")}
                      </RowButton>
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
      <div className="pt-8">
        <RecordSection title={t("invites")}>
          <RecordTable
            label={t("invites")}
            rows={team.invites}
            rowId={({ invite_id }) => invite_id}
            empty={t("no_invites")}
            columns={[
              { name: t("person"), cell: ({ email }) => email },
              { name: t("role"), cell: ({ role }) => roleName(role) },
              {
                name: t("until"),
                cell: ({ expires_at, expired }) =>
                  expired ? <Pill tone="bad">{t("expired")}</Pill> : <ShortTime at={expires_at} />,
              },
              ...(canChange
                ? [
                    {
                      name: t("actions"),
                      cell: ({ invite_id, email, role }: MerchantTeam["invites"][number]) => (
                        <span className="flex flex-wrap gap-x-4">
                          <RowButton of={email} onClick={() => void invite(email, role)}>
                            {t("again")}
                          </RowButton>
                          <RowButton
                            of={email}
                            onClick={() =>
                              void change(
                                (options) => api.post(`/merchant/invites/${invite_id}/revoke`, {}, options),
                                t("revoked"),
                              )
                            }
                          >
                            {t("revoke")}
                          </RowButton>
                        </span>
                      ),
                    },
                  ]
                : []),
            ]}
          />
          {!open && <ErrorNotice className="mt-3">{problem}</ErrorNotice>}
        </RecordSection>
      </div>
      <Dialog
        open={open?.kind === "invite"}
        onClose={() => show(undefined)}
        title={t("invite_title")}
        closeLabel={t("close")}
      >
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const fields = new FormData(event.currentTarget);
            if (!pending)
              void invite(
                String(fields.get("email") ?? ""),
                fields.get("role") === "owner" ? "owner" : "member",
              );
          }}
        >
          <EmailInput name="email" label={t("email")} hint={t("email_hint")} required autoComplete="off" />
          <Select
            name="role"
            label={t("role")}
            hint={t("role_hint")}
            defaultValue="member"
            options={MERCHANT_ROLES.map((role) => ({ value: role, label: roleName(role) }))}
          />
          <ErrorNotice>{problem}</ErrorNotice>
          <Button type="submit" look="primary" pending={pending} className="self-end">
            {t("send")}
          </Button>
        </form>
      </Dialog>
      <EffectsDialog
        open={open?.kind === "end"}
        title={t("end_of", { name })}
        effects={[t("effect_access"), t("effect_tokens"), t("effect_account")]}
        confirm={t(member?.is_self ? "leave" : "end")}
        danger
        pending={pending}
        problem={problem}
        onConfirm={() =>
          member &&
          void change(
            (options) => api.post(`/merchant/members/${member.member_id}/end`, { version }, options),
            t("ended"),
          )
        }
        onClose={() => show(undefined)}
      />
      <EffectsDialog
        open={open?.kind === "role"}
        title={t(nextRole === "owner" ? "owner_title" : "member_title", { name })}
        effects={[t(nextRole === "owner" ? "effect_owner" : "effect_member")]}
        confirm={t(nextRole === "owner" ? "make_owner" : "make_member")}
        danger={nextRole !== "owner"}
        pending={pending}
        problem={problem}
        onConfirm={() =>
          member &&
          void change(
            (options) =>
              api.post(`/merchant/members/${member.member_id}/role`, { version, role: nextRole }, options),
            t("role_changed"),
          )
        }
        onClose={() => show(undefined)}
      />
    </>
  );
}
