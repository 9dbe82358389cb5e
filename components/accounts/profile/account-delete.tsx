"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { useSurface } from "@/components/ui/surface";
import { EmailInput } from "@/components/ui/text-input";
import { showToastAfterNavigation } from "@/components/ui/toast";
import { localizedPath } from "@/lib/platform/routing/paths";

const ACCOUNT_IN_USE = "40919";

/** Account deletion: what is deleted and kept, then email and reauthentication (docs/product.md#72-accounts). */
export function AccountDelete({ email, onCancel }: { email: string; onCancel: () => void }) {
  const t = useTranslations("accounts.data");
  const labels = useTranslations("errors");
  const page = useSurface();
  const withReauthentication = useReauthentication();
  const { errors, show, problem, setProblem, pending, run, post, formProps } = useForm(labels("network"));
  const [inUse, setInUse] = useState(false);

  async function remove(confirm: string) {
    const result = await withReauthentication(() => post("/auth/delete", { confirm }));
    if (result.ok) {
      showToastAfterNavigation(t("deleted"));
      location.replace(localizedPath("/", page));
      return "leaving";
    }
    const fieldError = result.errors.find(({ path }) => path === "confirm");
    if (fieldError) show({ confirm: fieldError.message });
    else setProblem(result.message);
    setInUse(result.code === ACCOUNT_IN_USE);
  }

  function submit(text: ReadField): void {
    const confirm = text("confirm").trim().toLowerCase();
    if (confirm !== email.toLowerCase()) show({ confirm: labels("confirm_differs") });
    else void run("delete", () => remove(confirm));
  }

  return (
    <form {...formProps(submit)} className="flex flex-col gap-4">
      <p>{t("gone")}</p>
      <p className="text-quiet">{t("kept")}</p>
      <EmailInput
        label={t("confirm")}
        hint={<span className="wrap-anywhere">{email}</span>}
        error={errors.confirm}
        name="confirm"
        autoComplete="off"
        required
      />
      {problem && (
        <Notice
          kind="bad"
          title={problem}
          live
          action={
            inUse && (
              <Link href="/order-history" className="text-link inline-flex min-h-11 items-center">
                {t("orders")}
              </Link>
            )
          }
        />
      )}
      <div className="flex flex-col-reverse gap-2 pt-2 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>{t("keep")}</Button>
        <Button type="submit" look="danger" pending={pending !== undefined}>
          {t("delete_submit")}
        </Button>
      </div>
    </form>
  );
}
