"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { RecoveryCodes } from "@/components/accounts/factor/recovery-codes";
import { useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { TextInput } from "@/components/ui/text-input";
import type { FactorSetupView } from "@/lib/staff/contract";

type Props = {
  enrolled: boolean;
  /** The console page to open afterwards. */
  target: string;
};

/** The entrance of the console: the second factor, or its first setup. */
export function EnterScreen({ enrolled, target }: Props) {
  const t = useTranslations("console.enter");
  const [codes, setCodes] = useState<string[]>();
  const open = () => location.assign(target);
  return (
    <>
      <h1 className="pb-2 text-28">{t(enrolled ? "title" : "setup_title")}</h1>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={open} />
      ) : enrolled ? (
        <CodeForm path="/auth/second-factor" lead={t("text")} submit={t("submit")} onDone={open} recovery />
      ) : (
        <FactorSetup onConfirmed={setCodes} />
      )}
    </>
  );
}

/** Sets up an authenticator app: the QR code, the secret to type in, and the first code. */
export function FactorSetup({ onConfirmed }: { onConfirmed: (codes: string[]) => void }) {
  const t = useTranslations("console.enter");
  const network = useTranslations("errors")("network");
  const withReauthentication = useReauthentication();
  const { post, run, pending, problem, setProblem } = useForm(network);
  const [setup, setSetup] = useState<FactorSetupView>();

  async function start() {
    setProblem(undefined);
    const result = await withReauthentication(() => post("/auth/second-factor/setup", {}));
    if (result.ok) setSetup(result.data);
    else if (result.message) setProblem(result.message);
  }

  if (!setup)
    return (
      <div className="flex flex-col items-start gap-5">
        <p className="text-quiet">{t("setup_text")}</p>
        {problem && <Notice kind="bad" title={problem} live />}
        <Button look="primary" pending={pending === "setup"} onClick={() => void run("setup", start)}>
          {t("setup_start")}
        </Button>
      </div>
    );
  return (
    <ol className="flex list-decimal flex-col gap-6 pl-5">
      <li>
        <p>{t("scan")}</p>
        {/* biome-ignore lint/performance/noImgElement: an SVG in a data URL */}
        <img
          src={`data:image/svg+xml;utf8,${encodeURIComponent(setup.qr_svg)}`}
          alt={t("qr")}
          width={220}
          height={220}
          className="my-3 rounded-control border border-hairline bg-white"
        />
        <p className="text-quiet">{t("type_in")}</p>
        <code className="font-mono wrap-anywhere select-all">{setup.secret.replace(/(.{4})/g, "$1 ")}</code>
      </li>
      <li>
        <CodeForm
          path="/auth/second-factor/confirm"
          lead={t("first_code")}
          submit={t("confirm")}
          onDone={(data) => onConfirmed((data as { recovery_codes: string[] }).recovery_codes)}
        />
      </li>
    </ol>
  );
}

/** A code of the authenticator app. */
function CodeForm({
  path,
  lead,
  submit,
  recovery = false,
  onDone,
}: {
  path: "/auth/second-factor" | "/auth/second-factor/confirm";
  lead: string;
  submit: string;
  /** A recovery code works too. */
  recovery?: boolean;
  onDone: (data: unknown) => void;
}) {
  const t = useTranslations("console.enter");
  const network = useTranslations("errors")("network");
  const { formProps, post, run, pending, errors, show } = useForm(network);
  return (
    <form
      {...formProps((text) =>
        run("code", async () => {
          const result = await post(path, { code: text("code") });
          if (!result.ok) return show({ code: result.message });
          onDone(result.data);
          return recovery ? "leaving" : undefined;
        }),
      )}
      className="flex flex-col items-start gap-4"
    >
      <p className="text-quiet">{lead}</p>
      <TextInput
        name="code"
        label={t("code")}
        hint={recovery ? t("code_hint") : undefined}
        error={errors.code}
        autoComplete="one-time-code"
        inputMode={recovery ? "text" : "numeric"}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        required
        className="w-full max-w-72"
      />
      <Button type="submit" look="primary" pending={pending === "code"}>
        {submit}
      </Button>
    </form>
  );
}
