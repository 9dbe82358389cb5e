"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { RecordTable } from "@/components/console/record";
import { RowButton } from "@/components/console/row-button";
import { SecretNotice } from "@/components/console/secret-notice";
import { ShortTime } from "@/components/console/time";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { TextArea, TextInput } from "@/components/ui/text-input";
import { TOKEN_SCOPES, type TokenScope } from "@/lib/merchants/rules";
import type { TokenList } from "@/lib/merchants/tokens/contract";
import { api } from "@/lib/platform/api/client";

type Token = TokenList["items"][number];
const DAYS = ["30", "90", "365", ""] as const;
const scopeKey = (scope: TokenScope) => scope.replace(":", "_") as ScopeKey;
type ScopeKey =
  | "products_read"
  | "products_write"
  | "keys_write"
  | "sales_read"
  | "requests_write"
  | "money_read"
  | "webhooks_write";

/** The tokens with which programs work for the merchant. A new one is shown once. */
export function TokensScreen({
  tokens,
  handle,
  canChange,
}: {
  tokens: Token[];
  handle: string;
  canChange: boolean;
}) {
  const t = useTranslations("console.merchant_tokens");
  const { pending, problem, setProblem, act } = useAction();
  const [creates, setCreates] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  const [secret, setSecret] = useState<string>();
  const [missing, setMissing] = useState(false);

  async function create(fields: FormData) {
    const scopes = TOKEN_SCOPES.filter((scope) => fields.has(scope));
    setMissing(scopes.length === 0);
    if (scopes.length === 0) return;
    const days = String(fields.get("days") ?? "");
    const body = {
      name: String(fields.get("name") ?? ""),
      scopes,
      networks: String(fields.get("networks") ?? "")
        .split(/[\s,]+/)
        .filter(Boolean),
      days: days ? Number(days) : null,
    };
    const result = await act((options) => api.post("/merchant/tokens", body, options));
    if (!result.ok) return;
    setCreates(false);
    setSecret(result.data.token);
  }
  async function revoke({ token_id }: Token) {
    const result = await act(
      (options) => api.post(`/merchant/tokens/${token_id}/revoke`, {}, options),
      t("revoked_done"),
    );
    if (result.ok) setRevoked(undefined);
  }
  return (
    <>
      <ConsoleHeader
        title={t("title")}
        lead={
          <>
            {t("lead")}{" "}
            <ConsoleLink href={`/merchant/${handle}/developers`} className="text-link">
              {t("how")}
            </ConsoleLink>
          </>
        }
      >
        {canChange && (
          <Button
            look="primary"
            onClick={() => {
              setProblem("");
              setCreates(true);
            }}
          >
            {t("create")}
          </Button>
        )}
      </ConsoleHeader>
      <SecretNotice title={t("shown_once")} secret={secret} onStored={() => setSecret(undefined)} />
      <RecordTable
        label={t("title")}
        rows={tokens}
        rowId={({ token_id }) => token_id}
        empty={t("empty")}
        columns={[
          {
            name: t("name"),
            cell: ({ name, created_by }) => (
              <>
                {name}
                {created_by && <span className="block text-13 text-quiet wrap-anywhere">{created_by}</span>}
              </>
            ),
          },
          {
            name: t("scopes"),
            cell: ({ scopes }) => scopes.map((scope) => t(`scope.${scopeKey(scope)}`)).join(", "),
          },
          {
            name: t("networks"),
            cell: ({ networks }) => (networks.length > 0 ? networks.join(", ") : t("everywhere")),
          },
          {
            name: t("last_used"),
            cell: ({ last_used_at }) => (last_used_at ? <ShortTime at={last_used_at} /> : t("never")),
          },
          {
            name: t("until"),
            cell: ({ expires_at, revoked_at, valid }) =>
              revoked_at ? (
                <Pill tone="bad">{t("revoked")}</Pill>
              ) : !valid ? (
                <Pill tone="bad">{t("expired")}</Pill>
              ) : expires_at ? (
                <ShortTime at={expires_at} />
              ) : (
                t("no_end")
              ),
          },
          ...(canChange
            ? [
                {
                  name: t("actions"),
                  cell: (token: Token) =>
                    token.revoked_at === null && (
                      <RowButton
                        of={token.name}
                        onClick={() => {
                          setProblem("");
                          setRevoked(token);
                        }}
                      >
                        {t("revoke")}
                      </RowButton>
                    ),
                },
              ]
            : []),
        ]}
      />
      <Dialog
        open={creates}
        onClose={() => setCreates(false)}
        title={t("create_title")}
        closeLabel={t("close")}
      >
        {creates && (
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (!pending) void create(new FormData(event.currentTarget));
            }}
          >
            <TextInput
              name="name"
              label={t("name")}
              hint={t("name_hint")}
              maxLength={60}
              required
              autoComplete="off"
            />
            <fieldset>
              <legend className="pb-1 font-medium">{t("scopes")}</legend>
              {TOKEN_SCOPES.map((scope) => (
                <Checkbox key={scope} name={scope} label={t(`scope.${scopeKey(scope)}`)} hint={scope} />
              ))}
            </fieldset>
            <TextArea
              name="networks"
              label={t("networks_field")}
              hint={t("networks_hint")}
              rows={2}
              spellCheck={false}
              autoCapitalize="none"
            />
            <Select
              name="days"
              label={t("days")}
              defaultValue="365"
              options={DAYS.map((value) => ({
                value,
                label: value ? t("days_count", { count: Number(value) }) : t("no_end"),
              }))}
            />
            <ErrorNotice>{missing ? t("choose_scope") : problem}</ErrorNotice>
            <Button type="submit" look="primary" pending={pending} className="self-end">
              {t("create")}
            </Button>
          </form>
        )}
      </Dialog>
      <EffectsDialog
        open={revoked !== undefined}
        title={t("revoke_of", { name: revoked?.name ?? "" })}
        effects={[t("effect_at_once"), t("effect_forever")]}
        confirm={t("revoke")}
        danger
        pending={pending}
        problem={problem}
        onConfirm={() => revoked && void revoke(revoked)}
        onClose={() => setRevoked(undefined)}
      />
    </>
  );
}
